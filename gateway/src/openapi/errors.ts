// The error responses that a route can give, as references to components.json.

import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { isId, rulesOf } from "@ems/kit/json/constraints";
import { acceptsIdempotencyKey, type Route } from "../rest/routes.ts";
import type components from "./components.json";
import { methodText } from "./text.ts";

const responses: Readonly<Record<number, keyof typeof components.responses>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  500: "InternalServerError",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

export function errorResponses(route: Route): JsonObject {
  const refs = statusesOf(route).map((status) => [status, { $ref: `#/components/responses/${responses[status]}` }]);
  return Object.fromEntries(refs);
}

function statusesOf(route: Route): number[] {
  const { description } = methodText(route.method);
  const isDocumented = (status: number) => new RegExp(`\\b${status}\\b`).test(description);
  const hasIds = route.pathFields.length > 0 || (route.bodyMode === "all" && containsIds(route.method.input));
  // A DELETE of a missing resource succeeds.
  const mayBeMissing = hasIds && route.httpMethod !== "DELETE";
  return [
    ...[400, 401, 403],
    ...(mayBeMissing || isDocumented(404) ? [404] : []),
    // No rule of a field implies a conflict; the RPC's comment documents it.
    ...(isDocumented(409) || acceptsIdempotencyKey(route) ? [409] : []),
    ...(route.bodyMode === "none" ? [] : [413, 415]),
    ...(acceptsIdempotencyKey(route) ? [422] : []),
    ...[429, 500, 503, 504],
  ];
}

function containsIds(message: DescMessage, ancestors: ReadonlySet<DescMessage> = new Set()): boolean {
  if (ancestors.has(message)) return false;
  const withMessage = new Set([...ancestors, message]);
  return message.fields.some((field) => {
    const isIdField = isId(rulesOf(field)) || isId(rulesOf(field, "items"));
    return isIdField || (field.message !== undefined && containsIds(field.message, withMessage));
  });
}
