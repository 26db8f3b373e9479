// The OpenAPI 3.1 document, generated from the served routes. Fixed components are in components.json.

import type { JsonObject } from "@bufbuild/protobuf";
import { issuesMax } from "@ems/kit/json/issue";
import { echoMax, jsonDepthMax, jsonNamesMax } from "@ems/kit/json/issue-messages";
import { errorBytesMax } from "@ems/kit/json/truncate";
import { bodyBytesMax, largeBodyBytesMax, withLimits } from "@ems/proto/limits";
import { largeBodies, type RatePolicies, ratePolicies } from "../budget/index.ts";
import type { GatewayConfig } from "../config.ts";
import { httpLimits } from "../http/connections.ts";
import type { Route } from "../rest/routes.ts";
import fixedComponents from "./components.json" with { type: "json" };
import { NamedSchemas } from "./named-schemas.ts";
import { credentials, operation } from "./operation.ts";
import { reasonTable } from "./reasons.ts";
import { responseSchema } from "./schema.ts";
import { buildTags } from "./tags.ts";
import { webhooks } from "./webhooks.ts";

export interface DocumentOptions {
  readonly version: string;
  readonly config: GatewayConfig;
}

const description = `The system of record for the quality of AI applications: their topics, tasks and documents, evaluation
definitions and results, and reports on all of them.

## Authentication

Every request has two headers: \`x-api-key\`, an API key (\`POST /v0/api-keys\`), and \`x-application-id\`, the ID of the
application that the key belongs to. Every operation acts on that application. Operations for which \`x-application-id\` is
optional say so. Clients that can set only one header, such as many exporters of OpenTelemetry, send
\`Authorization: Bearer KEY\` instead of both.

An API key can be limited to scopes. \`x-scope\` on an operation is the narrowest scope that allows it. The scope \`read\` also
allows all reads, and a group's \`write\` its reads. \`x-roles\` lists the roles of members that allow the operation in the console.

## Requests

Bodies are JSON in UTF-8, at most {bodyBytesMax} ({largeBodyBytesMax} for ingestion and uploads), with
\`Content-Type: application/json\`. JSON has at most {jsonDepthMax} levels, and an object at most {jsonNamesMax} names.
IDs are UUIDs of versions 1 to 8, or the all-zero or all-f UUID. For an optional field, \`null\` is the same as absence,
unless the field says that it clears a value. Unknown fields and query parameters are errors. Lists in a query are repeated
(\`status=A&status=B\`) or comma-separated (\`status=A,B\`); a parameter without a value (\`status=\`) counts as absent.
Times are ISO 8601 with \`Z\` or an offset, with up to nine decimals, with or without seconds; without a zone they are UTC.
A plain date is the start of that day in UTC; as \`endDate\` it is its end.

In a schema, \`x-rules\` lists the messages of rules that JSON Schema cannot express. \`x-judged\` on an operation means that its
description states further rules. \`x-tolerant\` on a list means that an invalid element gets its own result and does not make
the request fail.

## Responses

A single resource is in \`data\`; a list has a page in \`data\` and \`pagination\`. A field without a value is \`null\`.
Timestamps are ISO 8601 in UTC with milliseconds. Fields may be added at any time: ignore unknown ones.
Every response has \`x-request-id\`.

## Rate limits

Each API key has a rate limit, and so has each application for all its keys. Every response states the limits in
\`RateLimit-Policy\` and their remainder in \`RateLimit\`: \`"key";q=200;w=10\` allows 200 requests in any 10 seconds, evenly or in
one burst. A large body counts as several requests. An operation with an additional limit says so. A request over a limit gets 429.

An application also has concurrency limits, which no header states: {runningMax} running requests, {arrivingMax} arriving bodies,
{largeBodiesMax} large bodies ({largeBytesMax} or {largeValuesMax} values) and {unreadBytesMax} of unread responses. Beyond these the
response is also 429; the message names the limit.

## Errors

An error is \`{message}\`. An invalid request gets 400 with \`issues\`, each with a \`code\`, a \`message\` and a \`path\`:
the first {issuesMax}, within {errorBytesMax}; \`issuesOmitted\` counts further ones. Resources of other organizations or applications
are not found. A method that a path does not support gets 405, with the supported ones in \`Allow\`. A 409 or 422 with
\`x-should-retry: false\` is permanent. After 429 and 503, \`Retry-After\` states when to retry.

## Errors over gRPC

Over gRPC, gRPC-Web and Connect an error contains \`google.rpc.ErrorInfo\` with a reason in the domain \`ems\`, \`google.rpc.RetryInfo\`
if a retry must wait, and \`google.rpc.BadRequest\` and \`buf.validate.Violations\` for an invalid request. The REST column lists
the statuses of the same errors over REST.

{reasons}`;

export function openApiDocument(routes: readonly Route[], { version, config }: DocumentOptions): JsonObject {
  const policies = ratePolicies(config);
  const components: typeof fixedComponents = JSON.parse(withLimits(JSON.stringify(fixedComponents), getLimits(config)));
  const schemas = new NamedSchemas(components.schemas);
  // Add response schemas first, so that they get the names without a prefix.
  for (const { method, successStatus, isRawResponse, isStreamed } of routes) {
    if (successStatus !== 204 && !isRawResponse && !isStreamed) responseSchema(schemas, method.output);
  }
  const paths = buildPaths(routes, schemas, policies);
  return {
    openapi: "3.1.0",
    info: {
      title: "Evaluation Management Service API",
      // Joins the lines of each paragraph.
      description: withLimits(description, getLimits(config))
        .replace(/(?<!\n)\n(?!\n)/g, " ")
        .replace("{reasons}", reasonTable()),
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The host of this document." }],
    security: credentials,
    ...buildTags(routes),
    paths,
    webhooks: webhooks(schemas),
    components: { ...components, schemas: schemas.toJson() },
  };
}

/** Returns the limits that texts reference, such as `{bodyBytesMax}`. */
function getLimits(config: GatewayConfig): Readonly<Record<string, number>> {
  return {
    bodyBytesMax,
    largeBodyBytesMax,
    headerBytes: httpLimits.headerBytes,
    bodyValuesMax: config.BODY_VALUES_MAX,
    jsonDepthMax,
    jsonNamesMax,
    issuesMax,
    errorBytesMax,
    echoMax,
    runningMax: config.IN_FLIGHT_PER_APPLICATION_MAX,
    arrivingMax: config.ARRIVING_PER_APPLICATION_MAX,
    largeBodiesMax: config.LARGE_BODIES_PER_APPLICATION_MAX,
    ...largeBodies,
    unreadBytesMax: config.ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES,
  };
}

function buildPaths(routes: readonly Route[], schemas: NamedSchemas, policies: RatePolicies): JsonObject {
  const paths = new Map<string, JsonObject>();
  for (const route of routes) {
    const operations = paths.get(route.path);
    paths.set(route.path, { ...operations, [route.httpMethod.toLowerCase()]: operation(route, schemas, policies) });
  }
  return Object.fromEntries(paths);
}
