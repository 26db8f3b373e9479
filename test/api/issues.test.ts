import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const path = "/v0/issues";
const newest = async () => (await api.get(`${path}?limit=1`)).body.data[0];

test("an issue is created without an answer, and can be read", async () => {
  const topicId = (await api.post("/v0/topics", { title: "Fees" })).body.data.id;
  const taskId = (await api.post("/v0/tasks", { title: "Fee", description: "asked", topicId })).body.task.id;
  const evalDefinitionId = (await api.post("/v0/definitions", { name: "n", type: "NATURALNESS" })).body.data.id;
  const traceId = (await api.post("/v0/ingest", { events: [{ type: "trace" }] })).body.data[0].id;
  const annotationId = (await api.post("/v0/annotations", { title: "a" })).body.data.id;
  const about = { topicId, taskId, evalDefinitionId, traceId, annotationId };
  const request = { title: "Wrong fee", source: "MONITORING", priority: "HIGH", type: "SUGGESTED_TASK", ...about };
  const { status, body } = await api.post(path, { ...request, description: null, parentId: null });
  expect([status, body]).toEqual([204, undefined]);
  const listed = await newest();
  expect(listed).toEqual({
    ...{ id: expect.any(String), applicationId, orgId, ...request, description: null, status: "OPEN" },
    ...{ createdAt: expect.any(String), modifiedAt: expect.any(String), assignedTo: null, assignedUser: null },
    ...{ experimentId: null, testId: null, parentId: null, issues: [] },
  });
  expect((await api.get(`${path}/${listed.id}`)).body).toEqual({ data: listed });

  await api.post(path, { title: "Part", source: "API", parentId: listed.id });
  const part = await newest();
  expect(part).toMatchObject({ title: "Part", parentId: listed.id, priority: "MEDIUM", type: "BUG" });
  const parts = [{ id: part.id, title: "Part", status: "OPEN" }];
  expect((await api.get(`${path}/${listed.id}`)).body.data.issues).toEqual(parts);
  expect((await api.get(`${path}?status=OPEN&priority=HIGH,LOW&source=&type=`)).body.data).toMatchObject([
    { id: listed.id, issues: parts },
  ]);
});

test("what the application does not have is not found", async () => {
  for (const field of ["topicId", "taskId", "evalDefinitionId", "testId", "traceId", "experimentId", "parentId"]) {
    const { status, body } = await api.post(path, { title: "a", source: "API", [field]: newId() });
    expect([field, status, body.message]).toEqual([field, 404, expect.stringMatching(/ not found$/)]);
  }
});

test("a repeat under its key has no second effect", async () => {
  const title = newId();
  const headers = { "idempotency-key": newId() };
  const send = (source: string) => api.send("POST", path, { json: { title, source }, headers });
  const answers = [await send("API"), await send("API"), await send("TEST")];
  expect(answers.map(({ status }) => status)).toEqual([204, 204, 422]);
  const all = (await api.get(`${path}?limit=100`)).body.data.filter((one: { title: string }) => one.title === title);
  expect(all).toHaveLength(1);
});

test("tells every fault of a body and of a query at once", async () => {
  const faults = ({ body }: { body: { issues: { path: string[]; code: string }[] } }) =>
    body.issues.map(({ path, code }) => `${path.join(".")} ${code}`).sort();
  expect(
    faults(await api.post(path, { title: "", source: "MAIL", priority: "URGENT", type: "", taskId: "1" })),
  ).toEqual([
    "priority invalid_enum_value",
    "source invalid_enum_value",
    "taskId invalid_string",
    "title too_small",
    "type invalid_enum_value",
  ]);
  expect(faults(await api.get(`${path}?status=DONE&orderBy=summary&parentId=1`))).toEqual([
    "orderBy invalid_enum_value",
    "parentId invalid_string",
    "status.0 invalid_enum_value",
  ]);
});
