// Lists the error responses of a route, as references to components.json.

import { type DescField, type DescMessage, type DescMethodUnary, hasOption, type JsonObject } from "@bufbuild/protobuf";
import { getRules, isId } from "@ems/kit/json/constraints";
import { judged } from "@ems/proto/rest/v1/rest";
import { acceptsIdempotencyKey, acceptsIfMatch, type Route } from "../rest/routes.ts";
import type components from "./components.json";
import { methodText } from "./text.ts";

const responses: Readonly<Record<number, keyof typeof components.responses>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  408: "RequestTimeout",
  409: "Conflict",
  412: "PreconditionFailed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  422: "UnprocessableContent",
  429: "TooManyRequests",
  431: "RequestHeaderFieldsTooLarge",
  500: "InternalServerError",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

export function errorResponses(route: Route): JsonObject {
  const refs = listStatuses(route).map((status) => [status, { $ref: `#/components/responses/${responses[status]}` }]);
  return Object.fromEntries(refs);
}

/**
 * True if the service rejects requests that schema and rules allow, according to the RPC's comment or a field's option.
 */
export function isJudged({ method }: Route): boolean {
  return documents(method, 400) || anyField(method.input, (field) => hasOption(field, judged));
}

function documents(method: DescMethodUnary, status: number): boolean {
  return new RegExp(`\\b${status}\\b`).test(methodText(method).description);
}

function listStatuses(route: Route): number[] {
  const isDocumented = (status: number) => documents(route.method, status);
  const hasIds = route.pathFields.length > 0 || (route.bodyMode === "all" && containsIds(route.method.input));
  // A DELETE of a missing resource succeeds, so it never responds 404.
  const mayBeMissing = hasIds && route.httpMethod !== "DELETE";
  return [
    400,
    401,
    403,
    408,
    ...(mayBeMissing || isDocumented(404) ? [404] : []),
    // No rule of a field implies a conflict; the RPC's comment documents it.
    ...(isDocumented(409) || acceptsIdempotencyKey(route) ? [409] : []),
    ...(acceptsIfMatch(route) ? [412] : []),
    // A body is read, and can be rejected, even if the operation needs none.
    ...(route.httpMethod === "GET" ? [] : [413, 415]),
    ...(acceptsIdempotencyKey(route) ? [422] : []),
    429,
    431,
    500,
    503,
    504,
  ];
}

function containsIds(message: DescMessage): boolean {
  return anyField(message, (field) => isId(getRules(field)) || isId(getRules(field, "items")));
}

/** True if the predicate holds for a field of the message or of a nested message. */
function anyField(
  message: DescMessage,
  passes: (field: DescField) => boolean,
  ancestors: ReadonlySet<DescMessage> = new Set(),
): boolean {
  if (ancestors.has(message)) return false;
  const withMessage = new Set([...ancestors, message]);
  return message.fields.some(
    (field) => passes(field) || (field.message !== undefined && anyField(field.message, passes, withMessage)),
  );
}
