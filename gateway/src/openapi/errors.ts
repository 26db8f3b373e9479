// The answers that are no success: their bodies are the specification's, and most routes share most of them.

import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { isId, rulesOf } from "@ems/kit/json/constraints";
import { issueCodes, issuesMax } from "@ems/kit/json/issue";
import { acceptsIdempotencyKey, type Route } from "../rest/routes.ts";
import { methodText } from "./text.ts";

interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  readonly headers?: JsonObject;
  readonly schema: "Error" | "ValidationError";
  readonly example: JsonObject;
}

export const requestIdHeader: JsonObject = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
const retryAfterHeader: JsonObject = {
  "retry-after": {
    description: "Seconds after which the same request may succeed.",
    schema: { type: "integer", minimum: 0 },
    example: 1,
  },
};
const shouldRetryHeader: JsonObject = {
  "x-should-retry": {
    description: "`false`: repeating the request is of no use.",
    schema: { type: "string", enum: ["false"] },
    example: "false",
  },
};

/** IETF draft "RateLimit header fields for HTTP". */
export const rateLimitHeaders: JsonObject = {
  "ratelimit-policy": { $ref: "#/components/headers/RateLimitPolicy" },
  ratelimit: { $ref: "#/components/headers/RateLimit" },
};
export const replayedHeader: JsonObject = {
  "idempotency-replayed": { $ref: "#/components/headers/IdempotencyReplayed" },
};

const general = (name: string, description: string, message: string, headers: JsonObject = {}): ErrorResponse => {
  return { name, description, headers, schema: "Error", example: { message } };
};

const responses: Readonly<Record<number, ErrorResponse>> = {
  400: {
    name: "BadRequest",
    description: "The request is at fault: all that is wrong with it at once, up to 100 issues and 64 KiB.",
    schema: "ValidationError",
    example: {
      message: "Invalid request data",
      issues: [{ code: "invalid_string", message: "Invalid UUID", path: ["id"] }],
    },
  },
  401: general("Unauthorized", "A credential is missing, or the key is unknown.", "Unauthorized"),
  403: general("Forbidden", "The key belongs to another application than `x-application-id` names.", "Forbidden"),
  404: general("NotFound", "What an id names does not exist for this application.", "Resource not found"),
  409: general(
    "Conflict",
    "The request contradicts what exists and cannot succeed later either (`x-should-retry: false`), or a request with the " +
      "same Idempotency-Key is still running (`Retry-After`).",
    "The slug is taken",
    { ...shouldRetryHeader, ...retryAfterHeader },
  ),
  413: general(
    "PayloadTooLarge",
    "The body, unpacked, is larger than 1 MiB, has too many values (100,000 by default), or would make more rows than one request may.",
    "The request body is larger than 1 MiB",
  ),
  415: general(
    "UnsupportedMediaType",
    "The body is not JSON in UTF-8, or packed otherwise than by gzip.",
    "The request body must be application/json in UTF-8, uncompressed or gzip",
  ),
  422: general(
    "UnprocessableContent",
    "The request cannot be done as things stand, or the Idempotency-Key was used with another request.",
    "This Idempotency-Key was used with another request",
    shouldRetryHeader,
  ),
  429: general(
    "TooManyRequests",
    "Over a rate limit, or too much of one application or address at once: the message says which.",
    "Too many requests with this API key",
    {
      ...retryAfterHeader,
      ...rateLimitHeaders,
    },
  ),
  500: general("InternalServerError", "A defect of the service.", "Internal server error"),
  503: general(
    "ServiceUnavailable",
    "Something that the answer depends on is down, or too much is asked at once.",
    "Service unavailable",
    retryAfterHeader,
  ),
  504: general("GatewayTimeout", "The answer did not come in time.", "Deadline exceeded"),
};

/** References to the answers that the route may give. */
export function errorResponses(route: Route): JsonObject {
  const refs = statusesOf(route).map((status) => [
    status,
    { $ref: `#/components/responses/${responses[status]?.name}` },
  ]);
  return Object.fromEntries(refs);
}

/** Those answers themselves, as far as one of the routes may give them. */
export function errorComponents(routes: readonly Route[]): JsonObject {
  const used = new Set(routes.flatMap(statusesOf));
  const needed = Object.entries(responses).filter(([status]) => used.has(Number(status)));
  return Object.fromEntries(needed.map(([, response]) => [response.name, component(response)]));
}

function component({ description, headers, schema, example }: ErrorResponse): JsonObject {
  return {
    description,
    headers: { ...requestIdHeader, ...headers },
    content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` }, example } },
  };
}

function statusesOf(route: Route): number[] {
  const { description } = methodText(route.method);
  const isTold = (status: number) => new RegExp(`\\b${status}\\b`).test(description);
  // A DELETE of what is gone already is no error here.
  const namesThings = route.pathFields.length > 0 || (route.bodyMode === "all" && namesIds(route.method.input));
  const mayMiss = namesThings && route.httpMethod !== "DELETE";
  return [
    ...[400, 401, 403],
    ...(mayMiss || isTold(404) ? [404] : []),
    // No rule of a field tells of a conflict: the comment of an RPC does.
    ...(isTold(409) || acceptsIdempotencyKey(route) ? [409] : []),
    ...(route.bodyMode === "none" ? [] : [413, 415]),
    ...(acceptsIdempotencyKey(route) ? [422] : []),
    ...[429, 500, 503, 504],
  ];
}

/** Whether ids in the request name what may not exist. */
function namesIds(message: DescMessage, seen: ReadonlySet<DescMessage> = new Set()): boolean {
  if (seen.has(message)) return false;
  const below = new Set([...seen, message]);
  return message.fields.some((field) => {
    const isIdField = isId(rulesOf(field)) || isId(rulesOf(field, "items"));
    return isIdField || (field.message !== undefined && namesIds(field.message, below));
  });
}

export const headerComponents: JsonObject = {
  RequestId: {
    description: "Names the request in the logs: the client's own `x-request-id` when it sent a well-formed one.",
    schema: { type: "string" },
    example: "019a7d3c-5e1f-7b64-9c1a-2f0d8e4b6a75",
  },
  RateLimitPolicy: {
    description:
      "Every limit that holds for the request: `q` requests may be made in any `w` seconds by the whole `application`, and with " +
      "the one `key`; steadily as many as that, or all at once after a pause. Some operations have a limit of their own " +
      "beside these; `qu` is what is counted where that is not requests.",
    schema: { type: "string" },
    example: '"application";q=1000;w=10, "key";q=200;w=10',
  },
  RateLimit: {
    description:
      "How many requests are left at the moment under each limit (`r`), and in how many seconds all will be there again (`t`).",
    schema: { type: "string" },
    example: '"application";r=999;t=1, "key";r=199;t=1',
  },
  IdempotencyReplayed: {
    description: "`true` when this is the answer that the first request under the same Idempotency-Key got.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
};

export const errorSchemas: Readonly<Record<string, JsonObject>> = {
  Error: {
    type: "object",
    description: "What went wrong.",
    properties: { message: { type: "string", description: "What went wrong, in a sentence." } },
    required: ["message"],
  },
  ValidationError: {
    type: "object",
    description: "Everything that is wrong with a request.",
    properties: {
      message: { type: "string", description: "What went wrong, in a sentence." },
      issues: {
        type: "array",
        description:
          "One for each thing that is wrong, at most 100; the last one says so when there are more. Names and values of the " +
          "request's are told up to 100 characters, the last of which is then `…`.",
        maxItems: issuesMax,
        items: { $ref: "#/components/schemas/Issue" },
      },
    },
    required: ["message", "issues"],
  },
  Issue: {
    type: "object",
    description: "One thing that is wrong with a request.",
    properties: {
      code: { type: "string", description: "The kind of fault.", enum: [...issueCodes] },
      message: { type: "string", description: "The fault, in a sentence." },
      path: {
        type: "array",
        description: "Where it is: names of fields and indexes of lists, from the outermost inwards.",
        items: { type: "string" },
      },
    },
    required: ["code", "message", "path"],
  },
};
