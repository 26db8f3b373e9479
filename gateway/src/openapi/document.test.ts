import { getOption, hasOption } from "@bufbuild/protobuf";
import { issueCodes, issuesMax } from "@ems/kit/json/issue";
import { EventSchema, internal, type as kindOption } from "@ems/proto/events/v1/event";
import { http } from "@ems/proto/google/api/annotations";
import { services } from "@ems/proto/services";
import { publicMessages } from "@ems/test-support/public-messages";
import { testKeys } from "@ems/test-support/rpc-keys";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { expect, test } from "vitest";
import { gatewayConfig } from "../config.ts";
import { listRoutes } from "../rest/routes.ts";
import { openApiDocument } from "./document.ts";

const routes = listRoutes(services);
const config = gatewayConfig(testKeys);
const make = () => openApiDocument(routes, { version: "0.1.0", config });
/** Built once for all tests, because building the document takes a second. */
const document = make();

interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly security?: object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
}
// The linter's test ensures this shape.
const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>;

test("the document passes the linter's recommended rules, examples included", async () => {
  // The specification has both /v0/traces/by-test/{id} and /v0/traces/{id}/steps; IDs cannot be confused with words.
  const config = await createConfig({ extends: ["recommended"], rules: { "no-ambiguous-paths": "off" } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`)).toEqual(
    [],
  );
});

test("the document states the configured limits", () => {
  const limited = { ...config, BODY_VALUES_MAX: 1_234, ANSWERS_WAITING_PER_APPLICATION_MAX_BYTES: 5 * 1024 ** 2 };
  const text = JSON.stringify(openApiDocument(routes, { version: "0.1.0", config: limited }));
  for (const part of ["at most 1 MiB", "more than 1,234 values", "5 MiB of unread", "larger than 128 KiB"]) {
    expect(text).toContain(part);
  }
  expect(text).not.toMatch(/\{\w+Max\}/);
});

test("the document has exactly the served routes", () => {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${method} ${path} ${operationId}`),
  );
  // Operation IDs are unique, so an additional path gets its own.
  const toOperationId = (path: string) => path.replaceAll(/\W+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  const served = routes.map(({ httpMethod, path, method, primaryRoute }) => {
    const alias = primaryRoute?.path === path ? "ByPost" : toOperationId(path);
    const operationId = method.localName + (primaryRoute === undefined ? "" : alias);
    return `${httpMethod.toLowerCase()} ${path} ${operationId}`;
  });
  expect(operations.toSorted()).toEqual(served.toSorted());
});

test("internal RPCs are not in the document", () => {
  const text = JSON.stringify(document);
  const visible = new Set(publicMessages(services));
  const internal = services.flatMap(({ methods }) => methods).filter((method) => !hasOption(method, http));
  expect(internal.length).toBeGreaterThan(0);
  for (const { localName, input, output } of internal) {
    expect(text).not.toContain(`"${localName}"`);
    for (const message of [input, output]) if (!visible.has(message)) expect(text).not.toContain(`/${message.name}"`);
  }
});

test("the document has exactly the public event types as webhooks", () => {
  const kinds = EventSchema.fields.filter((field) => field.oneof !== undefined && !getOption(field, internal));
  expect(kinds.length).toBeGreaterThan(10);
  expect(document.webhooks).toEqual(
    Object.fromEntries(kinds.map((field) => [getOption(field, kindOption), { post: expect.any(Object) }])),
  );
  expect(JSON.stringify(document)).not.toContain("people.assigned");
  expect(document.webhooks).toMatchObject({
    "topic.created": {
      post: {
        description: "The new topic.",
        parameters: [{ name: "webhook-id" }, { name: "webhook-timestamp" }, { name: "webhook-signature" }],
        requestBody: {
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/TopicCreatedEvent" },
              example: { type: "topic.created", data: { title: "Opening an account" } },
            },
          },
        },
      },
    },
  });
});

test("each event type has its own schema, which generators name", () => {
  expect(document.components).toMatchObject({
    schemas: {
      TopicCreatedEvent: {
        properties: { type: { enum: ["topic.created"] }, data: { $ref: "#/components/schemas/Topic" } },
        required: ["id", "type", "timestamp", "applicationId", "orgId", "data"],
      },
    },
  });
});

test("every operation has a description", () => {
  const bare = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { description }]) => (description ? [] : [`${method} ${path}`])),
  );
  expect(bare).toEqual([]);
});

test("an operation's description states its effect before its errors", () => {
  const descriptions = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ description = "" }) => description),
  );
  expect(descriptions.filter((text) => /^["`]?[45]\d\d\b/.test(text))).toEqual([]);
  expect(paths["/v0/tags/{id}"]?.put?.description).toBe(
    "Omitted fields are unchanged.\n\n**Errors**\n\n" +
      '- 404 "Tag not found" when the application has no tag with this id\n' +
      "- 409 when another ACTIVE tag of the application has the new name",
  );
});

test("first operations work for every key: no example contains an ID that may not exist", () => {
  const { tags, "x-tagGroups": groups } = document;
  expect(tags).toMatchObject({ 0: { name: "Topics" }, 1: { name: "Tasks" } });
  const [first] = routes.filter(({ service }) => service.name === "TopicService");
  expect(`${first?.httpMethod} ${first?.path}`).toBe("POST /v0/topics");
  expect(JSON.stringify(paths["/v0/topics"]?.post?.requestBody)).toMatch(/"title":"Opening an account"/);
  expect(JSON.stringify(paths["/v0/topics"]?.post?.requestBody)).not.toContain("019a7d3c");
  // Tags without a group belong to the last group.
  const grouped = JSON.parse(JSON.stringify(groups)).flatMap((group: { tags: string[] }) => group.tags);
  expect(grouped).toEqual(JSON.parse(JSON.stringify(tags)).map(({ name }: { name: string }) => name));
});

test("the document is deterministic", () => {
  expect(JSON.stringify(make())).toBe(JSON.stringify(document));
});

test("every operation requires both headers or a bearer token unless it states otherwise, and responses have a request ID", () => {
  expect(document.security).toEqual([{ apiKey: [], applicationId: [] }, { bearer: [] }]);
  const exceptions = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { security }]) => (security ? [[`${method} ${path}`, security]] : [])),
  );
  expect(exceptions).toEqual([
    ["get /v0/app-config", [{ apiKey: [], applicationId: [] }, { apiKey: [] }, { bearer: [] }]],
  ]);
  const text = JSON.stringify(paths);
  expect(text.match(/"x-request-id"/g)?.length).toBe(routes.length);
});

test("tags are the names and texts of the services' comments", () => {
  expect(document.tags).toEqual(
    expect.arrayContaining([
      { name: "API keys", description: "Credentials of clients. A key belongs to one application." },
      { name: "Topics", description: expect.stringMatching(/^Subjects that users/) },
    ]),
  );
});

test("an operation has the texts of its RPC", () => {
  expect(paths).toMatchObject({
    "/v0/topics": {
      post: {
        operationId: "createTopic",
        tags: ["Topics"],
        summary: "Creates a topic",
        description: expect.stringContaining("Quickstart not found"),
      },
    },
  });
});

test("a body's schema has its rules, no unknown fields and no path parameters", () => {
  expect(document.components).toMatchObject({
    schemas: {
      CreateTopicRequest: {
        type: "object",
        required: ["title"],
        additionalProperties: false,
        properties: {
          title: { type: "string", minLength: 1 },
          baseline: { type: ["number", "null"] },
          status: { type: ["string", "null"], enum: ["DRAFT", "ACTIVE", null] },
          quickstartId: { type: ["string", "null"], format: "uuid" },
        },
      },
      CreateApiKeyRequest: { properties: { name: { type: "string", minLength: 1, maxLength: 256 } } },
      ArchiveTopicRequest: { properties: { cascade: { type: ["boolean", "null"] } } },
    },
  });
  expect(document).not.toHaveProperty("components.schemas.ArchiveTopicRequest.properties.id");
});

test("parameters have the keywords of their rules", () => {
  expect(paths).toMatchObject({
    "/v0/topics": {
      get: {
        parameters: expect.arrayContaining([
          expect.objectContaining({
            name: "limit",
            in: "query",
            schema: { type: "integer", format: "int32", minimum: 1, maximum: 100 },
          }),
          expect.objectContaining({ name: "orderDir", schema: { type: "string", enum: ["asc", "desc"] } }),
          expect.objectContaining({
            name: "status",
            style: "form",
            explode: true,
            schema: { type: "array", items: { $ref: "#/components/schemas/TopicStatus" }, maxItems: 100 },
          }),
        ]),
      },
    },
    "/v0/topics/{id}": {
      get: { parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }] },
    },
  });
});

test("path parameters have examples", () => {
  expect(paths).toMatchObject({
    "/v0/topics/{id}": { get: { parameters: [{ example: expect.stringMatching(/^019a7d3c-/) }] } },
    "/v0/users/{id}": { get: { parameters: [{ example: "user-4821" }] } },
    "/v0/applications/by-slug/{slug}": { get: { parameters: [{ example: "bank-assistant" }] } },
  });
});

test("each operation lists its error responses", () => {
  const statuses = (path: string, method: string) => Object.keys(paths[path]?.[method]?.responses ?? {}).map(Number);
  const always = [400, 401, 403, 408, 429, 431, 500, 503, 504];
  expect(statuses("/v0/topics", "get")).toEqual([200, ...always]);
  expect(statuses("/v0/topics/{id}", "get")).toEqual([200, 400, 401, 403, 404, 408, 429, 431, 500, 503, 504]);
  expect(statuses("/v0/topics", "post")).toEqual([
    201, 400, 401, 403, 404, 408, 409, 413, 415, 422, 429, 431, 500, 503, 504,
  ]);
  expect(statuses("/v0/applications", "post")).toContain(409);
  // Deleting a missing resource is not an error.
  expect(statuses("/v0/api-keys/{keyId}", "delete")).toEqual([
    204, 400, 401, 403, 408, 413, 415, 429, 431, 500, 503, 504,
  ]);
});

test("an operation with its own rate limit states it with the configured numbers", () => {
  const description = (path: string) => paths[path]?.post?.description;
  expect(description("/v0/feedback")).toMatch(/^Rate limit: 5 requests in any 30 seconds per application/m);
  const { RATE_LIMIT_INGEST_ROWS_BURST: rows } = config;
  const rowLimit = new RegExp(`^Rate limit: ${rows} rows in any \\d+ seconds per application \\(\`ingest\``, "m");
  expect(description("/v0/ingest")).toMatch(rowLimit);
  expect(description("/v0/ingest")).not.toContain("once it is answered");
  for (const path of routes.filter(({ service }) => service.name === "OtlpService").map((route) => route.path)) {
    expect(description(path)).toMatch(rowLimit);
    expect(description(path)).toMatch(/^Rate limit: .* The rows of a request count once it is answered/m);
  }
  expect(description("/v0/topics")).not.toContain("Rate limit:");
});

test("the error schemas match the code's issue codes and maximum of issues", () => {
  expect(document.components).toMatchObject({
    schemas: {
      Issue: { properties: { code: { enum: [...issueCodes] } } },
      ValidationError: { properties: { issues: { maxItems: issuesMax } } },
    },
  });
});

test("a read by POST has no idempotency key, and lists values that the service checks", () => {
  const operation = paths["/v0/reporting/query"]?.post;
  expect(operation).not.toHaveProperty("parameters");
  const statuses = ["200", "400", "401", "403", "408", "413", "415", "429", "431", "500", "503", "504"];
  expect(Object.keys(operation?.responses ?? {})).toEqual(statuses);
  expect(document.components).toMatchObject({
    schemas: {
      QueryReportRequest: {
        required: ["datasource", "timezone"],
        properties: {
          datasource: {
            type: "string",
            enum: ["task", "test", "eval", "trace", "step", "session", "human_annotation", "feedback", "topic", "tag"],
          },
          groupBy: { maxItems: 3 },
        },
      },
      ReportFilter: { required: ["type", "column", "operator", "value"], properties: { value: { items: {} } } },
      ReportGroup: {
        properties: { dateTrunc: { type: ["string", "null"], enum: expect.arrayContaining(["week", null]) } },
      },
    },
  });
});
