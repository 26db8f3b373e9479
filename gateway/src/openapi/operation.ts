// One operation of the document: what its RPC's comment, request and answer say.

import type { DescField, JsonObject } from "@bufbuild/protobuf";
import { isId, rulesOf } from "@ems/kit/json/constraints";
import { windowSeconds } from "@ems/kit/limits/token-bucket";
import type { RatePolicies } from "../limits/rate-limits.ts";
import { acceptsIdempotencyKey, type Route } from "../rest/routes.ts";
import { errorResponses, rateLimitHeaders, replayedHeader, requestIdHeader } from "./errors.ts";
import { exampleOf, parameterExample } from "./examples.ts";
import type { Components } from "./named-schemas.ts";
import { parameterSchema, requestSchema, requiredFields, responseSchema } from "./schema.ts";
import { described, fieldText, messageText, methodText, serviceTag } from "./text.ts";

/** What a request proves itself with, by the names of the security schemes: both, wherever an RPC does not say less. */
export const credentials: JsonObject = { apiKey: [], applicationId: [] };

export function operation(route: Route, components: Components, policies: RatePolicies): JsonObject {
  const { method, service } = route;
  const { summary, description } = methodText(method);
  const parameters = parametersOf(route, components);
  return {
    operationId: method.localName,
    tags: [serviceTag(service).name],
    summary,
    ...described([description, rateLimitText(route, policies)].filter(Boolean).join("\n\n")),
    ...(route.isApplicationOptional && { security: [credentials, { apiKey: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(route) && { requestBody: requestBody(route, components) }),
    responses: { [route.successStatus]: success(route, components), ...errorResponses(route) },
  };
}

/** What the RPC's own rate limit lets an application do. */
function rateLimitText({ rateLimit, method }: Route, policies: RatePolicies): string {
  if (rateLimit === undefined) return "";
  const policy = policies[rateLimit];
  if (policy === undefined)
    throw new Error(`${method.parent.typeName}.${method.name}: no rate limit is named ${rateLimit}`);
  const { name, burst, unit = "requests" } = policy;
  return `At most ${burst} ${unit} in any ${windowSeconds(policy)} seconds of one application, with all its keys (\`${name}\` in \`RateLimit\`).`;
}

/** Whether there is anything that a body could say. */
function hasBody({ bodyMode, method, pathFields }: Route): boolean {
  if (bodyMode === "field") return true;
  return bodyMode === "all" && method.input.fields.length > pathFields.length;
}

const idempotencyKey: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A name of your own for this request, 1-255 visible ASCII characters. Sent again within 24 hours with the same body, " +
    "the request has no second effect and gets the first answer, marked `Idempotency-Replayed: true`.",
  schema: { type: "string", minLength: 1, maxLength: 257 },
  example: "b1946ac9-2d4e-4c1b-9a57-0d6c1f2e3a48",
};

function parametersOf(route: Route, components: Components): JsonObject[] {
  const { method, pathFields, queryFields } = route;
  const required = requiredFields(method.input);
  const parameter = (field: DescField, more: JsonObject) => ({
    name: field.jsonName,
    ...more,
    ...described(fieldText(field)),
    schema: parameterSchema(components, field),
  });
  const noun = method.parent.name.replace(/Service$/, "");
  return [
    ...pathFields.map((field) => ({
      ...parameter(field, { in: "path", required: true }),
      example: parameterExample(field.jsonName, noun, isId(rulesOf(field))),
    })),
    ...queryFields.map((field) =>
      parameter(field, {
        in: "query",
        ...(required.has(field) && { required: true }),
        ...(field.fieldKind === "list" && { style: "form", explode: true }),
      }),
    ),
    ...(acceptsIdempotencyKey(route) ? [idempotencyKey] : []),
  ];
}

function requestBody({ method: { input }, pathFields, bodyField }: Route, components: Components): JsonObject {
  const required = requiredFields(input);
  if (bodyField !== undefined) {
    const schema = { ...parameterSchema(components, bodyField), ...described(fieldText(bodyField)) };
    // No bytes are an empty object, with which any message can begin.
    return { content: { "application/json": { schema, example: exampleOf(schema, components, bodyField) } } };
  }
  const schema = requestSchema(components, input, pathFields);
  return {
    required: input.fields.some((field) => required.has(field) && !pathFields.includes(field)),
    content: { "application/json": { schema, example: exampleOf(schema, components) } },
  };
}

function success(route: Route, components: Components): JsonObject {
  const { method, successStatus } = route;
  const { output } = method;
  const headers = { ...requestIdHeader, ...rateLimitHeaders, ...(acceptsIdempotencyKey(route) && replayedHeader) };
  const response = { description: messageText(output), headers };
  if (successStatus === 204) return response;
  const schema = responseSchema(components, output);
  return { ...response, content: { "application/json": { schema, example: exampleOf(schema, components) } } };
}
