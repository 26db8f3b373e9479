import { newId } from "@ems/kit/id";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, apiKey, orgId } = await newTenant();
const path = "/v0/topics";

test("both headers are required with x-api-key", async () => {
  for (const api_ of [
    api.as({ apiKey: undefined }),
    api.as({ applicationId: undefined }),
    api.as({ apiKey: undefined, applicationId: undefined }),
    api.as({ apiKey: "" }),
  ]) {
    const { status, body } = await api_.get(path);
    expect({ status, body }).toEqual({ status: 401, body: { message: "Unauthorized" } });
  }
});

test("a bearer token stands for both headers, on every path", async () => {
  const bare = api.as({ apiKey: undefined, applicationId: undefined });
  const authorization = `Bearer ${apiKey}`;
  expect((await bare.get(path, { headers: { authorization } })).status).toBe(200);
  expect((await bare.get(path, { headers: { authorization: `bearer  ${apiKey}` } })).status).toBe(200);
  expect((await api.get(path, { headers: { authorization } })).status).toBe(200);
  const created = await bare.send("POST", path, { json: { title: "By bearer" }, headers: { authorization } });
  expect(created.status).toBe(201);
  const traces = await bare.send("POST", "/v0/otel/v1/traces", {
    json: { resourceSpans: [] },
    headers: { authorization },
  });
  expect(traces.status).toBe(200);
});

test("a bearer token is refused if it is unknown, differs from the other key, or the application is not its own", async () => {
  const bare = api.as({ apiKey: undefined, applicationId: undefined });
  const unknown = await bare.get(path, { headers: { authorization: "Bearer x" } });
  const basic = await bare.get(path, { headers: { authorization: `Basic ${btoa(`:${apiKey}`)}` } });
  const other = await newTenant();
  const different = await api.get(path, { headers: { authorization: `Bearer ${other.apiKey}` } });
  for (const { status, body } of [unknown, basic, different])
    expect({ status, body }).toEqual({ status: 401, body: { message: "Unauthorized" } });
  const foreign = await bare.as({ applicationId: other.applicationId }).get(path, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect({ status: foreign.status, body: foreign.body }).toEqual({ status: 403, body: { message: "Forbidden" } });
});

test("Basic authentication counts on the path of Langfuse's SDKs: its password is the key", async () => {
  const bare = api.as({ apiKey: undefined, applicationId: undefined });
  const send = (password: string, headers = {}, client = bare) =>
    client.send("POST", "/api/public/otel/v1/traces", {
      json: { resourceSpans: [] },
      headers: { authorization: `Basic ${btoa(`pk-lf-1:${password}`)}`, ...headers },
    });
  expect((await send(apiKey)).status).toBe(200);
  expect((await send(apiKey, { "x-api-key": apiKey })).status).toBe(200);
  expect((await send(apiKey, {}, api)).status).toBe(200);
  const other = await newTenant();
  for (const refused of [await send("x"), await send(""), await send(other.apiKey, { "x-api-key": apiKey })])
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 401, body: { message: "Unauthorized" } });
});

test("an unknown key, or what is no key at all, is unauthorized", async () => {
  for (const key of [
    "x",
    "ems_",
    `${apiKey}x`,
    apiKey.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
    "ü".repeat(40),
  ]) {
    const { status, body } = await api.as({ apiKey: encodeURI(key) }).get(path);
    expect({ status, body }).toEqual({ status: 401, body: { message: "Unauthorized" } });
  }
});

test("a key does not reach another application, whether or not that exists", async () => {
  const sibling = await newTenant({ organisation: "Shared organisation", application: "First" });
  const other = await newTenant({ organisation: "Shared organisation", application: "Second" });
  for (const id of [other.applicationId, newId(), "not-a-uuid", orgId]) {
    const { status, body } = await sibling.api.as({ applicationId: id }).get(path);
    expect({ status, body }).toEqual({ status: 403, body: { message: "Forbidden" } });
  }
});

test("the application id is compared as a UUID, whatever its case", async () => {
  expect((await api.as({ applicationId: applicationId.toUpperCase() }).get(path)).status).toBe(200);
});

test("who is not known learns nothing of a request's faults", async () => {
  const { status } = await api.as({ apiKey: "x" }).send("POST", path, { raw: "{" });
  expect(status).toBe(401);
});

test("a well-formed request id is returned; any other is replaced", async () => {
  const answer = await api.get(path, { headers: { "x-request-id": "client-7" } });
  expect(answer.headers.get("x-request-id")).toBe("client-7");
  for (const id of ["", "a b", "x".repeat(129), '{"a"']) {
    const made = await api.get(path, { headers: { "x-request-id": id } });
    expect(made.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("reference and health need no key", async () => {
  for (const open of ["/openapi.json", "/docs", "/livez", "/readyz"]) {
    expect((await fetch(inject("product").baseUrl + open)).status).toBe(200);
  }
});
