// Input rules of every route, tested on one.

import { gzipSync } from "node:zlib";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, apiKey, applicationId } = await newTenant();
const post = (raw: string | Uint8Array<ArrayBuffer>, headers = {}) => api.send("POST", "/v0/topics", { raw, headers });
const bytes = (...parts: (string | number)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part)))));

test.each([
  ["invalid_json", "{", []],
  ["invalid_json", "nonsense", []],
  ["invalid_json", '{"title": "a",}', []],
  ["invalid_type", "[]", []],
  ["invalid_type", '"text"', []],
  ["invalid_type", "null", []],
  ["invalid_type", "{}", ["title"]],
  ["invalid_type", '{"title": 1}', ["title"]],
  ["invalid_type", '{"title": null}', ["title"]],
  ["invalid_type", '{"title": "a", "baseline": "1"}', ["baseline"]],
  ["invalid_type", '{"title": "a", "baseline": 1e999}', ["baseline"]],
  ["invalid_string", '{"title": "a", "quickstartId": "1"}', ["quickstartId"]],
  ["invalid_string", '{"title": "a\\u0000b"}', ["title"]],
  ["invalid_string", '{"title": "\\ud800"}', ["title"]],
  ["too_small", '{"title": ""}', ["title"]],
  ["invalid_enum_value", '{"title": "a", "status": "draft"}', ["status"]],
  ["unrecognized_keys", '{"title": "a", "titel": "b"}', ["titel"]],
  ["unrecognized_keys", '{"title": "a", "__proto__": {}}', ["__proto__"]],
  ["unrecognized_keys", '{"title": "a", "id": "x"}', ["id"]],
] as const)("%s for %s", async (code, raw, path) => {
  const { status, body } = await post(raw);
  expect(status).toBe(400);
  expect(body).toEqual({ message: "Invalid request data", issues: [{ code, message: expect.any(String), path }] });
});

test("too_big names the field and the limit", async () => {
  const { status, body } = await api.post("/v0/api-keys", { name: "x".repeat(257) });
  expect(status).toBe(400);
  expect(body.issues).toEqual([
    { code: "too_big", message: "String must contain at most 256 character(s)", path: ["name"] },
  ]);
});

test("all issues of a request come at once", async () => {
  const { body } = await post('{"title": "", "status": 1, "baseline": [], "quickstartId": "x", "a": 1, "b": 2}');
  expect(body.issues.map(({ path }: { path: string[] }) => path.join(".")).sort()).toEqual([
    "a",
    "b",
    "baseline",
    "quickstartId",
    "status",
    "title",
  ]);
});

test("an empty body is an empty object", async () => {
  const { status, body } = await post("");
  expect(status).toBe(400);
  expect(body.issues).toEqual([{ code: "invalid_type", message: "Required", path: ["title"] }]);
});

test("a body that is not UTF-8 is refused, not repaired", async () => {
  for (const raw of [
    bytes('{"title": "', 0xff, '"}'),
    bytes('{"title": "', 0xc0, 0x80, '"}'),
    bytes('{"title": "', 0xed, 0xa0, 0x80, '"}'),
  ]) {
    const { status, body } = await post(raw);
    expect([status, body.issues[0].code]).toEqual([400, "invalid_json"]);
  }
});

test("JSON is 32 levels deep at most, and a deep one costs nothing", async () => {
  const deep = (levels: number) => `{"title": "a", "x": ${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
  expect((await post(deep(32))).body.issues[0].code).toBe("unrecognized_keys");
  expect((await post(deep(33))).body.issues[0].code).toBe("invalid_json");
  expect((await post("[".repeat(1024 * 1024))).status).toBe(400);
});

test("a body over 1 MiB is 413, one of 1 MiB is read", async () => {
  const body = (size: number) => `{"title": "${"x".repeat(size - 13)}"}`;
  // The request is read in full; only its event is too large.
  expect((await post(body(1024 * 1024))).body.message).toMatch(/128 KiB/);
  const answer = await post(body(1024 * 1024 + 1));
  expect([answer.status, answer.body]).toEqual([413, { message: "The request body is larger than 1 MiB" }]);
});

test("a body that is not JSON is 415", async () => {
  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "multipart/form-data",
  ]) {
    expect((await post('{"title": "a"}', { "content-type": type })).status).toBe(415);
  }
  for (const type of ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']) {
    expect((await post('{"title": "a"}', { "content-type": type })).status).toBe(201);
  }
});

test("a body may be packed by gzip, and is what it holds", async () => {
  const packed = (body: string) => new Uint8Array(gzipSync(body));
  const headers = { "content-encoding": "gzip" };
  expect((await post(packed('{"title": "a"}'), headers)).status).toBe(201);
  expect((await post('{"title": "a"}', { "content-encoding": "identity" })).status).toBe(201);
  const bomb = await post(packed(" ".repeat(1024 * 1024 + 1)), headers);
  expect([bomb.status, bomb.body]).toEqual([413, { message: "The request body is larger than 1 MiB" }]);
  for (const broken of ['{"title": "a"}', packed('{"title": "a"}').subarray(0, 20)]) {
    const { status, body } = await post(broken, headers);
    expect([status, body.issues]).toEqual([
      400,
      [{ code: "invalid_json", message: "Body is not valid gzip", path: [] }],
    ]);
  }
  for (const encoding of ["br", "gzip, gzip"]) {
    expect((await post(packed('{"title": "a"}'), { "content-encoding": encoding })).status).toBe(415);
  }
});

test("paths and queries are percent-encoded UTF-8 without NUL", async () => {
  for (const path of [
    "/v0/topics/%FF",
    "/v0/topics?title=%FF",
    "/v0/topics?title=%",
    "/v0/topics?title=%00",
    "/v0/topics/%00",
  ]) {
    const { status, body } = await api.get(path);
    expect([path, status, body.message]).toEqual([path, 400, "Invalid request data"]);
    expect(body.issues.length).toBeGreaterThan(0);
  }
});

test("a route that is not there is Resource not found", async () => {
  for (const [method, path] of [
    ["GET", "/"],
    ["GET", "/v0"],
    ["GET", "/v1/topics"],
    ["GET", "/v0/topics/a/b"],
    ["POST", "/ems.catalog.v1.TopicService/GetTopic"],
    ["POST", "/ems.identity.v1.ApiKeyService/Authenticate"],
  ] as const) {
    const { status, body } = await api.send(method, path);
    expect([path, status, body]).toEqual([path, 404, { message: "Resource not found" }]);
  }
});

test("a method that a path does not have is 405 and names those that it has", async () => {
  for (const [method, path, allow] of [
    ["DELETE", "/v0/style-guides", "GET, HEAD, POST"],
    ["OPTIONS", "/v0/style-guides", "GET, HEAD, POST"],
    ["POST", `/v0/applications/${applicationId}?a=b`, "GET, HEAD"],
    ["PUT", "/openapi.json", "GET, HEAD"],
  ] as const) {
    const { status, body, headers } = await api.send(method, path, {
      raw: "{",
      headers: { "content-type": "text/plain" },
    });
    expect([path, status, body, headers.get("allow")]).toEqual([path, 405, { message: "Method not allowed" }, allow]);
  }
});

test("a request without a body may say that it has one of any type", async () => {
  const { body } = await api.post("/v0/topics", { title: "a" });
  for (const type of ["application/json", "text/plain", "application/octet-stream"]) {
    const headers = { "content-type": type, "content-length": "0" };
    expect((await api.send("POST", `/v0/topics/${body.data.id}/archive`, { raw: "", headers })).status).toBe(204);
  }
});

test("headers over 16 KiB are 431", async () => {
  const response = await fetch(`${inject("product").baseUrl}/v0/topics`, {
    headers: { "x-api-key": apiKey, "x-application-id": applicationId, "x-big": "x".repeat(17 * 1024) },
  });
  expect([response.status, await response.json()]).toEqual([431, { message: expect.stringMatching(/16 KiB/) }]);
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});
