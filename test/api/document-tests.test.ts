import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const path = "/v0/documents/tests";
const trigger = (type: string, more = {}) => api.post(`${path}/trigger`, { type, ...more });

test("without a model connection it is refused, with what to do, and not to be tried again", async () => {
  const { status, headers, body } = await trigger("MECE");
  expect([status, headers.get("x-should-retry")]).toEqual([422, "false"]);
  expect(body.message).toMatch(/no model connection: create one with POST \/v0\/model-connections/);
  expect((await api.get(path)).body).toMatchObject({ data: [], pagination: { total: 0 } });
});

test("a test is triggered, read and listed; without documents it fails and says why", async () => {
  await api.post("/v0/model-connections", { name: "Judge", provider: "openai", model: "m", apiKey: "sk-1234" });
  const { status, body } = await trigger("KNOWLEDGE_COVERAGE");
  expect(status).toBe(200);
  const { id } = body.data;
  expect(body.data).toMatchObject({
    applicationId,
    orgId,
    type: "KNOWLEDGE_COVERAGE",
    status: "PENDING",
    results: null,
    message: null,
    meceMeanOverlap: null,
    meceMeanContradictions: null,
    progress: { completed: 0, total: 0 },
  });
  const read = async () => (await api.get(`${path}/${id}`)).body.data;
  await expect.poll(async () => (await read()).status).toBe("FAILED");
  const ended = await read();
  expect(ended.message).toBe("no_documents: The application has no APPROVED or ACTIVE document");
  for (const [query, found] of [
    ["", [ended]],
    ["?type=KNOWLEDGE_COVERAGE,MECE&status=FAILED", [ended]],
    ["?type=MECE", []],
    ["?status=COMPLETED&status=PENDING", []],
    ["?start=2020-01-01&end=2020-01-02", []],
    [`?start=${ended.createdAt.slice(0, 10)}&end=${ended.createdAt.slice(0, 10)}`, [ended]],
    ["?type=&status=&startDate=&end=", [ended]],
  ] as const) {
    expect((await api.get(`${path}${query}`)).body.data).toEqual(found);
  }
});

test.each([
  [{}, "type"],
  [{ type: "ALL" }, "type"],
  [{ type: "MECE", quickstartId: "none" }, "quickstartId"],
  [{ type: "MECE", documents: [] }, "documents"],
])("what is wrong is named: %j", async (json, field) => {
  const { status, body } = await api.post(`${path}/trigger`, json);
  expect([status, body.issues[0].path.join(".")]).toEqual([400, field]);
});

test("an id that is none's is not found", async () => {
  expect(await api.get(`${path}/${newId()}`)).toMatchObject({
    status: 404,
    body: { message: "Document test not found" },
  });
  expect((await trigger("MECE", { quickstartId: newId() })).body.message).toBe("Quickstart not found");
});
