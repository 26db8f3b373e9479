import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const path = "/v0/app-config";
const { api } = await newTenant();
const unnamed = api.as({ applicationId: undefined });
const slug = `sibling-${newId()}`;
await api.post("/v0/applications", { title: "Sibling", slug });
const config = {
  crawlerEnabled: false,
  ocrEnabled: false,
  askAssistantEnabled: false,
  craEvidencePackEnabled: false,
  chatbotPlaygroundEnabled: false,
  sotaModelEnabled: false,
  analytics: { host: "", key: "", cloudIdentifier: "" },
};

test("GET /v0/app-config returns the application's flags and the installation's analytics", async () => {
  const { status, body } = await api.get(path);
  expect({ status, body }).toEqual({ status: 200, body: { data: config } });
});

test("x-application-id may be absent: a slug of the organization, or the key, determines the application", async () => {
  for (const query of ["", `?applicationSlug=${slug}`, `?slug=${slug}`, `?applicationSlug=${slug}&slug=other`]) {
    const { status, body } = await unnamed.get(path + query);
    expect([query, status, body]).toEqual([query, 200, { data: config }]);
  }
});

test("a slug that the organization does not have is not found", async () => {
  const other = await newTenant();
  const theirs = `theirs-${newId()}`;
  await other.api.post("/v0/applications", { title: "Theirs", slug: theirs });
  for (const absent of [theirs, newId(), "x".repeat(256)]) {
    const { status, body } = await unnamed.get(`${path}?applicationSlug=${absent}`);
    expect({ status, body }).toEqual({ status: 404, body: { message: "Application not found" } });
  }
});

test("a slug has no say where the header names the application", async () => {
  expect((await api.get(`${path}?applicationSlug=${newId()}`)).status).toBe(200);
});

test("the slug has 1-256 characters", async () => {
  for (const [query, status] of [
    ["applicationSlug=", 400],
    ["slug=", 400],
    [`applicationSlug=${"x".repeat(257)}`, 400],
    [`slug=${"x".repeat(257)}`, 400],
    [`slug=${"x".repeat(256)}`, 404],
    ["application=x", 400],
  ] as const) {
    expect([query, (await unnamed.get(`${path}?${query}`)).status]).toEqual([query, status]);
  }
});

test("the key stays required, and does not reach another application that a header names", async () => {
  for (const keyless of [
    api.as({ apiKey: undefined }),
    unnamed.as({ apiKey: undefined }),
    unnamed.as({ apiKey: "x" }),
  ]) {
    const { status, body } = await keyless.get(path);
    expect({ status, body }).toEqual({ status: 401, body: { message: "Unauthorized" } });
  }
  const sibling = (await api.get(`/v0/applications/by-slug/${slug}`)).body.data.id;
  for (const applicationId of [sibling, newId(), "not-a-uuid"]) {
    const { status, body } = await api.as({ applicationId }).get(`${path}?applicationSlug=${slug}`);
    expect({ status, body }).toEqual({ status: 403, body: { message: "Forbidden" } });
  }
});

test("everywhere else a request without x-application-id is unauthorized", async () => {
  for (const elsewhere of ["/v0/applications", "/v0/users", `/v0/applications/by-slug/${slug}`]) {
    expect((await unnamed.get(elsewhere)).status).toBe(401);
  }
});
