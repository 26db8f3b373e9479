import { create } from "@bufbuild/protobuf";
import { TopicService } from "@ems/proto/catalog/v1/topic_service";
import { OtlpService } from "@ems/proto/experiments/v1/otlp_service";
import { RunService, TriggerTasksResponseSchema } from "@ems/proto/experiments/v1/run_service";
import { ApiKeyService } from "@ems/proto/identity/v1/api_key_service";
import { largeBodyBytesMax } from "@ems/proto/limits";
import { services } from "@ems/proto/services";
import { type MethodSpec, protoFixture } from "@ems/test-support/proto-fixture";
import { describe, expect, test } from "vitest";
import { basicAuthPath } from "../auth/authenticator.ts";
import { formatLocation, listRoutes } from "./routes.ts";

test("routes match their annotations", () => {
  const routes = listRoutes([TopicService]).map((route) => [
    `${route.httpMethod} ${route.path}`,
    route.fastifyPath,
    route.method.name,
    route.pathFields.map(({ jsonName }) => jsonName).join(),
    route.bodyMode,
    route.queryFields.map(({ jsonName }) => jsonName).join(),
    route.successStatus,
  ]);
  // Lists its routes explicitly, so that routes added later do not affect this test.
  for (const route of [
    ["POST /v0/topics", "/v0/topics", "CreateTopic", "", "all", "", 201],
    [
      "GET /v0/topics",
      "/v0/topics",
      "ListTopics",
      "",
      "none",
      "skip,after,limit,orderBy,orderDir,title,status,isInScope,isKnowledgeBaseVerified,isPoliciesVerified,isTasksVerified",
      200,
    ],
    ["GET /v0/topics/{id}", "/v0/topics/:id", "GetTopic", "id", "none", "", 200],
    ["PUT /v0/topics/{id}", "/v0/topics/:id", "UpdateTopic", "id", "all", "", 200],
    ["PATCH /v0/topics", "/v0/topics", "UpdateTopics", "", "all", "", 200],
    ["POST /v0/topics/{id}/archive", "/v0/topics/:id/archive", "ArchiveTopic", "id", "all", "", 204],
  ]) {
    expect(routes).toContainEqual(route);
  }
});

test("path parameters have JSON names", () => {
  expect(listRoutes([ApiKeyService]).map(({ fastifyPath }) => fastifyPath)).toContain("/v0/api-keys/:keyId");
});

test("an application is optional only if the RPC says so", async () => {
  const optional = listRoutes(services).filter(({ isApplicationOptional }) => isApplicationOptional);
  expect(optional.map(({ httpMethod, path }) => `${httpMethod} ${path}`)).toEqual(["GET /v0/app-config"]);
});

test("an RPC without an annotation has no route", () => {
  expect(listRoutes([ApiKeyService]).map(({ method }) => method.name)).not.toContain("Authenticate");
});

test("all services have valid routes", async () => {
  const routes = listRoutes(services);
  expect(routes.length).toBeGreaterThan(0);
  const own = routes.filter(({ path }) => path !== basicAuthPath);
  for (const { path } of own) expect(path).toMatch(/^\/v[01]\//);
  expect(own).toHaveLength(routes.length - 1);
});

const messages = {
  In: {
    fields: {
      some_id: { type: "STRING" },
      names: { type: "STRING", isRepeated: true },
      size: { type: "INT32" },
    },
  },
  Deep: { fields: { inner: { type: "In" }, some_id: { type: "STRING" } } },
  Odd: { fields: { took: { type: "google.protobuf.Duration" } } },
  Out: { fields: { name: { type: "STRING" } } },
  Nothing: { fields: {} },
};

function routes(methods: Record<string, Partial<MethodSpec>>) {
  const specs = Object.entries(methods).map(([name, spec]) => [name, { input: "In", output: "Out", ...spec }]);
  return listRoutes([protoFixture({ messages, methods: Object.fromEntries(specs) }).service]);
}

const get = (value: string) => ({ pattern: { case: "get", value } }) as const;
const post = (value: string) => ({ pattern: { case: "post", value }, body: "*" }) as const;

test("put, patch and delete are routes too", () => {
  const found = routes({
    Put: { http: { pattern: { case: "put", value: "/v0/a/{some_id}" }, body: "*" } },
    Patch: { http: { pattern: { case: "patch", value: "/v0/a/{some_id}" }, body: "*" } },
    Delete: { http: { pattern: { case: "delete", value: "/v0/a/{some_id}" } } },
  });
  expect(found.map(({ httpMethod, fastifyPath }) => `${httpMethod} ${fastifyPath}`)).toEqual([
    "PUT /v0/a/:someId",
    "PATCH /v0/a/:someId",
    "DELETE /v0/a/:someId",
  ]);
});

test("a 204 response may have fields if all are in the Location header", () => {
  const [route] = listRoutes([RunService]).filter(({ method }) => method.name === "TriggerTasks");
  expect(route).toMatchObject({ path: "/v0/tasks/trigger", successStatus: 204 });
  const response = create(TriggerTasksResponseSchema, { runId: "a/b" });
  expect(route && formatLocation(route, response)).toBe("/v0/runs/a%2Fb");
});

test("a raw body has its own media types and size, and its RPC further paths", () => {
  const routes = listRoutes([OtlpService]).filter(({ method }) => method.name === "ExportTraces");
  expect(routes.map(({ path, primaryRoute }) => [path, primaryRoute?.path])).toEqual([
    ["/v0/otel/traces", undefined],
    ["/v0/otel/v1/traces", "/v0/otel/traces"],
    ["/v1/traces", "/v0/otel/traces"],
    [basicAuthPath, "/v0/otel/traces"],
  ]);
  for (const route of routes) {
    expect(route).toMatchObject({
      bodyMode: "raw",
      mediaTypes: ["application/json", "application/x-protobuf"],
      bodyBytesMax: largeBodyBytesMax,
      isRawResponse: true,
      isDownload: false,
      queryFields: [],
    });
  }
});

describe("an unsupported annotation throws at start and names the RPC", () => {
  test.each<[reason: string, spec: Partial<MethodSpec>]>([
    ["only unary RPCs can be routes", { http: get("/v0/a"), isStream: true }],
    ["the HTTP method must be get, put, post, delete or patch", { http: {} }],
    ["the HTTP method must be get, put, post, delete or patch", { http: { pattern: { case: "custom", value: {} } } }],
    ["the path v0/b must start with a slash", { http: { ...get("/v0/a"), additionalBindings: [get("v0/b")] } }],
    ['the body must be all fields, "*", not names', { http: { ...post("/v0/a"), body: "names" } }],
    ["a GET cannot have a body", { http: { ...get("/v0/a"), body: "*" } }],
    ["the path v0/a must start with a slash", { http: get("v0/a") }],
    ["** in the path must be a word or one field in braces", { http: get("/v0/**") }],
    ["{some_id=*} in the path must be a word or one field in braces", { http: get("/v0/{some_id=*}") }],
    [
      "{inner.some_id} in the path must be a word or one field in braces",
      { http: get("/v0/{inner.some_id}"), input: "Deep" },
    ],
    ["{some_id}:archive in the path must be a word or one field in braces", { http: get("/v0/{some_id}:archive") }],
    [" in the path must be a word or one field in braces", { http: get("/v0/") }],
    ["fixture.In has no field nope for the path", { http: get("/v0/{nope}") }],
    ["names in the path must be one value, not a list", { http: post("/v0/{names}") }],
    ["a field occurs twice in the path /v0/{size}/{size}", { http: get("/v0/{size}/{size}") }],
    ["inner is a message, which a path or query cannot hold", { http: get("/v0/a"), input: "Deep" }],
    [
      "fixture.Odd.took: this API's JSON has no form for google.protobuf.Duration",
      { http: post("/v0/a"), input: "Odd" },
    ],
    [
      "fixture.Odd.took: this API's JSON has no form for google.protobuf.Duration",
      { http: post("/v0/a"), output: "Odd" },
    ],
    ["success_status 302 is not a success status", { http: get("/v0/a"), status: 302 }],
    ["success_status 204 allows no body, but fixture.Out has fields", { http: get("/v0/a"), status: 204 }],
  ])("%s", (why, spec) => {
    expect(() => routes({ Try: spec })).toThrow(`fixture.FixtureService.Try: ${why}`);
  });

  test("two RPCs with the same route", () => {
    expect(() => routes({ One: { http: get("/v0/{some_id}") }, Two: { http: get("/v0/{size}") } })).toThrow(
      "fixture.FixtureService.Two: fixture.FixtureService.One already has the route GET /v0/{size}",
    );
  });
});
