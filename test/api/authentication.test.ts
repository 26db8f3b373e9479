import { newId } from "@ems/kit/id";
import { expect, inject, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, apiKey, orgId } = await newTenant();
const path = "/v0/topics";

test("both headers are required", async () => {
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
