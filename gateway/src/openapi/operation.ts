// Builds one operation of the document from its RPC's comment, input and output.

import { type DescField, getOption, type JsonObject } from "@bufbuild/protobuf";
import { getRules, isId } from "@ems/kit/json/constraints";
import { windowSeconds } from "@ems/kit/limits/token-bucket";
import { hasEtag } from "@ems/kit/rpc/etag";
import { cost as costOption, form as formOption } from "@ems/proto/rest/v1/rest";
import { getScope, rolesWith } from "../auth/scopes.ts";
import type { RatePolicies } from "../budget/index.ts";
import { protobufType } from "../rest/protobuf-status.ts";
import { acceptsIdempotencyKey, acceptsIfMatch, getRowType, type Route } from "../rest/routes.ts";
import { linesType, parquetType } from "../rest/stream-pages.ts";
import { errorResponses, isJudged } from "./errors.ts";
import { buildExample, buildRequestExample, parameterExample } from "./examples.ts";
import { listRuleMessages } from "./message-rules.ts";
import type { NamedSchemas } from "./named-schemas.ts";
import { formSchema, parameterSchema, requestSchema, requiredFields, responseSchema } from "./schema.ts";
import { described, fieldText, messageText, methodText, serviceTag } from "./text.ts";

const both: JsonObject = { apiKey: [], applicationId: [] };
const bearer: JsonObject = { bearer: [] };
/** Security schemes of operations that require an application, which a key sent as a bearer token implies. */
export const credentials: JsonObject[] = [both, bearer];

export function operation(route: Route, schemas: NamedSchemas, policies: RatePolicies): JsonObject {
  const { method, service, primaryRoute } = route;
  const { summary, description: ownDescription } = methodText(method);
  const description =
    primaryRoute === undefined ? ownDescription : `Same as \`${primaryRoute.httpMethod} ${primaryRoute.path}\`.`;
  const parameters = buildParameters(route, schemas);
  // Only the rules of a query are listed here; a body's rules are in its schema.
  const queryRules = route.bodyMode === "none" ? listRuleMessages(method.input) : [];
  const scope = getScope(method);
  return {
    operationId: operationId(route),
    tags: [serviceTag(service).name],
    summary,
    ...described([description, rateLimitText(route, policies)].filter(Boolean).join("\n\n")),
    ...(route.isApplicationOptional && { security: [both, { apiKey: [] }, bearer] }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(route) && { requestBody: requestBody(route, schemas) }),
    "x-scope": scope,
    "x-roles": rolesWith(scope),
    ...(isJudged(route) && { "x-judged": true }),
    ...(queryRules.length > 0 && { "x-rules": queryRules }),
    responses: { [route.successStatus]: success(route, schemas), ...errorResponses(route) },
  };
}

/** Returns the RPC's name, made unique on additional paths by the path, or by the method where the path is the same. */
function operationId({ method, primaryRoute, path, httpMethod }: Route): string {
  if (primaryRoute === undefined) return method.localName;
  if (primaryRoute.path === path)
    return `${method.localName}By${httpMethod.charAt(0)}${httpMethod.slice(1).toLowerCase()}`;
  return (
    method.localName + path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, "")
  );
}

function rateLimitText({ rateLimit, method }: Route, policies: RatePolicies): string {
  if (rateLimit === undefined) return "";
  const policy = policies[rateLimit];
  if (policy === undefined)
    throw new Error(`${method.parent.typeName}.${method.name}: no rate limit is named ${rateLimit}`);
  const { name, burst, unit = "requests" } = policy;
  const limit = `Rate limit: ${burst} ${unit} in any ${windowSeconds(policy)} seconds per application (\`${name}\` in \`RateLimit\`).`;
  if (getOption(method, costOption).response === "") return limit;
  return `${limit} The ${unit} of a request count once it is answered: while the limit is exceeded, requests get 429.`;
}

function hasBody({ bodyMode, method, pathFields }: Route): boolean {
  if (bodyMode === "raw") return true;
  return bodyMode === "all" && method.input.fields.length > pathFields.length;
}

function buildParameters(route: Route, schemas: NamedSchemas): JsonObject[] {
  const { method, pathFields, queryFields } = route;
  const required = requiredFields(method.input);
  const parameter = (field: DescField, more: JsonObject) => ({
    name: field.jsonName,
    ...more,
    ...described(fieldText(field)),
    schema: parameterSchema(schemas, field),
  });
  const noun = method.parent.name.replace(/Service$/, "");
  const requiredParameter = (field: DescField, place: string) => ({
    ...parameter(field, { in: place, required: true }),
    example: parameterExample(field.jsonName, noun, isId(getRules(field))),
  });
  return [
    ...pathFields.map((field) => requiredParameter(field, "path")),
    ...queryFields.map((field) =>
      required.has(field)
        ? requiredParameter(field, "query")
        : parameter(field, { in: "query", ...(field.fieldKind === "list" && { style: "form", explode: true }) }),
    ),
    ...(acceptsIdempotencyKey(route) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(acceptsIfMatch(route) ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
  ];
}

function requestBody(route: Route, schemas: NamedSchemas): JsonObject {
  const { method, pathFields, bodyMode } = route;
  if (bodyMode === "raw") return { required: true, content: rawContent(route, schemas) };
  const { input } = method;
  const required = requiredFields(input);
  const schema = requestSchema(schemas, input, pathFields);
  return {
    required: input.fields.some((field) => required.has(field) && !pathFields.includes(field)),
    content: { "application/json": { schema, example: buildRequestExample(schema, schemas) } },
  };
}

/** Client generators need this schema; OpenAPI 3.1 does not. */
const protobufContent: JsonObject = { schema: { type: "string", format: "binary" } };

/** Returns the form of a raw body, if it has one; other JSON is described only as an object. */
function rawContent({ method, mediaTypes }: Route, schemas: NamedSchemas): JsonObject {
  const { input } = method;
  const form = method.parent.file.messages.find(({ name }) => name === getOption(method, formOption));
  if (form !== undefined) {
    const schema = formSchema(schemas, form);
    return Object.fromEntries(
      mediaTypes.map((type) => [type, { schema, example: buildRequestExample(schema, schemas) }]),
    );
  }
  const schema = { type: "object" };
  const example = buildExample(schema, schemas, input.field.payload);
  return Object.fromEntries(
    mediaTypes.map((type) => [
      type,
      type === protobufType ? protobufContent : { schema, ...(type === "application/json" && { example }) },
    ]),
  );
}

function success(route: Route, schemas: NamedSchemas): JsonObject {
  const { method, successStatus } = route;
  const { output } = method;
  const headers = {
    "x-request-id": { $ref: "#/components/headers/RequestId" },
    "ratelimit-policy": { $ref: "#/components/headers/RateLimitPolicy" },
    ratelimit: { $ref: "#/components/headers/RateLimit" },
    ...(acceptsIdempotencyKey(route) && {
      "idempotency-replayed": { $ref: "#/components/headers/IdempotencyReplayed" },
    }),
    ...(hasEtag(method) && { etag: { $ref: "#/components/headers/ETag" } }),
    ...(route.location !== undefined && { location: { $ref: "#/components/headers/Location" } }),
  };
  const response = { description: messageText(output), headers };
  if (successStatus === 204) return response;
  if (route.isStreamed) {
    const row = getRowType(method);
    const rows = row && { [parquetType]: { schema: { type: "array", items: responseSchema(schemas, row) } } };
    const lines = { schema: { type: "string" }, example: parameterExample("payload", output.name, false) };
    return { ...response, content: { [linesType]: lines, ...rows } };
  }
  if (route.isDownload)
    return { ...response, content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } } };
  if (route.isRawResponse) {
    return {
      ...response,
      content: { "application/json": { schema: { type: "object" }, example: {} }, [protobufType]: protobufContent },
    };
  }
  const schema = responseSchema(schemas, output);
  return { ...response, content: { "application/json": { schema, example: buildExample(schema, schemas) } } };
}
