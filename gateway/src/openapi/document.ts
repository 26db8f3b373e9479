// The API reference as OpenAPI 3.1, made from the same routes that are served.

import type { JsonObject } from "@bufbuild/protobuf";
import type { RatePolicies } from "../limits/rate-limits.ts";
import type { Route } from "../rest/routes.ts";
import { errorComponents, errorSchemas, headerComponents } from "./errors.ts";
import { Components } from "./named-schemas.ts";
import { credentials, operation } from "./operation.ts";
import { responseSchema } from "./schema.ts";
import { serviceTag } from "./text.ts";
import { webhooks } from "./webhooks.ts";

export interface DocumentOptions {
  readonly version: string;
  readonly policies: RatePolicies;
}

const description = `The system of record for the quality of AI applications: their topics, tasks and documents, what
evaluations judge, what they found, and reports on all of it.

## Authentication

Every request carries two headers: \`x-api-key\`, a key made with \`POST /v0/api-keys\`, and \`x-application-id\`, the id of
the application that the key belongs to. Everything acts on that application. Where \`x-application-id\` may be absent, the
operation says so.

## Requests

Bodies are JSON in UTF-8, at most 1 MiB, with \`Content-Type: application/json\`. Ids are UUIDs of versions 1 to 8, the
all-zero or the all-f UUID. \`null\` for an optional field says that it is not given. A field or a query parameter that is
not listed here is an error. Lists in a query are repeated (\`status=A&status=B\`) or comma-joined (\`status=A,B\`).

## Answers

One resource stands in \`data\`; a page of a list has \`pagination\` beside it. A field without a value is \`null\`.
Timestamps are ISO 8601 in UTC with milliseconds. Fields may be added at any time: pass over those you do not know.
Every answer carries \`x-request-id\`.

## Rate limits

A key and its application, with all its keys together, may ask so much: \`RateLimit-Policy\` tells it and \`RateLimit\` what is left,
in every answer. \`"key";q=200;w=10\` lets 200 requests through in any 10 seconds, at once or spread over them. A large body counts as
several requests. An operation with a limit of its own says so. What is over a limit is 429. So is what one application has too much of at
one time, which no header counts down: by default 125 requests at work, 32 bodies on their way, 4 large ones (256 KiB or 8,000 values)
and 32 MiB of answers that it does not take; the message says which.

## Errors

An error is \`{message}\`. A request that is at fault is answered with 400 and everything that is wrong with it in \`issues\`,
each with a \`code\`, a \`message\` and a \`path\`. What belongs to another organisation or application is not found. After 429
and 503, \`Retry-After\` says when to come again.`;

export function openApiDocument(routes: readonly Route[], { version, policies }: DocumentOptions): JsonObject {
  const components = new Components(errorSchemas);
  // Answers first: they get the plain names.
  for (const { method, successStatus } of routes) if (successStatus !== 204) responseSchema(components, method.output);
  const paths = pathsOf(routes, components, policies);
  return {
    openapi: "3.1.0",
    info: {
      title: "Evaluation Management Service API",
      // A paragraph a line: line breaks are for the readers of this file.
      description: description.replace(/(?<!\n)\n(?!\n)/g, " "),
      version,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "Where this document comes from." }],
    security: [credentials],
    tags: tagsOf(routes),
    paths,
    webhooks: webhooks(components),
    components: {
      securitySchemes: {
        apiKey: header("x-api-key", "The API key. Its plaintext is shown once, when it is created."),
        applicationId: header("x-application-id", "The id of the application that the key belongs to."),
      },
      headers: headerComponents,
      responses: errorComponents(routes),
      schemas: components.schemas(),
    },
  };
}

function pathsOf(routes: readonly Route[], components: Components, policies: RatePolicies): JsonObject {
  const paths = new Map<string, JsonObject>();
  for (const route of routes) {
    const others = paths.get(route.path);
    paths.set(route.path, { ...others, [route.httpMethod.toLowerCase()]: operation(route, components, policies) });
  }
  return Object.fromEntries(paths);
}

function tagsOf(routes: readonly Route[]): JsonObject[] {
  const services = new Set(routes.map(({ service }) => service));
  return [...services].map((service) => ({ ...serviceTag(service) }));
}

function header(name: string, text: string): JsonObject {
  return { type: "apiKey", in: "header", name, description: text };
}
