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
    id: expect.any(String),
    applicationId,
    orgId,
    ...request,
    description: null,
    status: "OPEN",
    createdAt: expect.any(String),
    modifiedAt: expect.any(String),
    assignedTo: null,
    assignedUser: null,
    experimentId: null,
    testId: null,
    parentId: null,
    issues: [],
    resolvedByTestId: null,
    summary: null,
    comment: null,
    impact: null,
    occurrences: 1,
    lastOccurredAt: expect.any(String),
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
  const all = (await api.get(`${path}?limit=100`)).body.data.filter((each: { title: string }) => each.title === title);
  expect(all).toHaveLength(1);
});

test("lists every fault of a body and of a query at once", async () => {
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

test("the inbox: changed one by one or many at once, listed by little more than titles, and suggested tasks taken over", async () => {
  const own = (await newTenant()).api;
  const topicId = (await own.post("/v0/topics", { title: "Fees" })).body.data.id;
  for (const title of ["First", "Second"])
    await own.post(path, { title, source: "API", type: "SUGGESTED_TASK", description: "d" });
  const [second, first] = (await own.get(path)).body.data;
  const put = (id: string, json: object, part = "") => own.send("PUT", `${path}/${id}${part}`, { json });

  const changed = await put(first.id, { summary: "s", comment: "c", priority: "HIGH", topicId, assignedTo: "ada" });
  const changes = { summary: "s", comment: "c", priority: "HIGH", topicId, assignedTo: "ada" };
  expect(changed).toMatchObject({
    status: 200,
    body: { data: { ...first, ...changes, modifiedAt: expect.any(String) } },
  });
  expect((await put(first.id, { summary: null, topicId: null })).body.data).toMatchObject({
    summary: null,
    topicId: null,
  });
  const faults = await put(first.id, { title: "", taskId: 3, parentId: "x", status: "DONE" });
  expect(faults.body.issues.map((issue: { path: string[] }) => issue.path.join(".")).sort()).toEqual([
    ...["parentId", "status", "taskId", "title"],
  ]);
  expect((await put(first.id, { parentId: first.id })).body.issues).toMatchObject([{ path: ["parentId"] }]);

  const patch = (json: object) => own.send("PATCH", path, { json });
  const many = await patch({ issueIds: [first.id, second.id], priority: "LOW", topicId });
  expect([many.status, many.body.data.map(({ id, priority }: typeof first) => [id, priority])]).toEqual([
    200,
    [
      [first.id, "LOW"],
      [second.id, "LOW"],
    ],
  ]);
  expect((await patch({ issueIds: [] })).body.issues).toMatchObject([{ path: ["issueIds"] }]);
  expect(await patch({ issueIds: [first.id, newId()], status: "REJECTED" })).toMatchObject({ status: 404 });

  const minimal = (await own.get(`${path}/minimal?status=OPEN&orderBy=title&orderDir=asc&topicId=${topicId}`)).body;
  const { id, title, status, priority, source, type, createdAt } = { ...first, priority: "LOW" };
  expect(minimal.data[0]).toEqual({ id, title, status, priority, source, type, createdAt });
  expect(minimal.pagination).toMatchObject({ total: 2 });

  const task = { title: "Ask a fee", description: "What it costs" };
  const accepted = await put(first.id, task, "/suggested-task");
  expect(accepted).toMatchObject({ status: 200, body: { task: { ...task, topicId, status: "ACTIVE" } } });
  expect((await own.get(`${path}/${first.id}`)).body.data).toMatchObject({
    status: "RESOLVED",
    taskId: accepted.body.task.id,
  });
  const renamed = await put(first.id, { ...task, title: "Ask fees" }, "/suggested-task");
  expect(renamed.body.task).toMatchObject({ id: accepted.body.task.id, title: "Ask fees" });
  expect((await own.get("/v0/tasks")).body.pagination.total).toBe(1);
  expect((await put(second.id, { ...task, topicId: newId() }, "/suggested-task")).body).toEqual({
    message: "Topic not found",
  });
});

test("an issue of a test is found again instead of twice, and closed when a later test passes", async () => {
  const own = (await newTenant()).api;
  const taskId = (await own.post("/v0/tasks", { title: "Fee", description: "asked" })).body.task.id;
  const record = async (passed: boolean) =>
    (await own.post("/v0/tests/results", { tests: [{ taskId, passed }] })).body.testIds[0];
  const testId = await record(false);
  for (const description of ["Wrong", "Rude"])
    await own.post(path, { title: "Fee", source: "TEST", testId, description });
  const { data } = (await own.get(path)).body;
  expect(data).toMatchObject([{ occurrences: 2, taskId, description: "Wrong\n\nRude", status: "OPEN" }]);
  const pass = await record(true);
  expect((await own.get(path)).body.data).toMatchObject([{ status: "RESOLVED", resolvedByTestId: pass }]);
});
