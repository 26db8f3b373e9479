import { newId } from "@ems/kit/id";
import { expect, test } from "vitest";
import { newTenant } from "../harness/tenant.ts";

const { api, applicationId, orgId } = await newTenant();
const critique = "It names a fee that was abolished last year.";
const newTrace = async () => (await api.post("/v0/ingest", { events: [{ type: "trace" }] })).body.data[0].id as string;
const faults = ({ body }: { body: { issues: { path: string[]; code: string }[] } }) =>
  body.issues.map(({ path, code }) => `${path.join(".")} ${code}`).sort();

test("a person judges a trace, and judges it otherwise later", async () => {
  const traceId = await newTrace();
  const created = await api.post("/v0/human-annotations", {
    traceId,
    verdict: false,
    source: "TRACE_PAGE",
    critique,
    queueItemId: null,
  });
  expect(created.status).toBe(201);
  const { id, annotatorId, issueId } = created.body.data;
  const person = (await api.get(`/v0/users/${annotatorId}`)).body.data;
  expect(created.body.data).toEqual({
    id,
    orgId,
    applicationId,
    traceId,
    verdict: false,
    source: "TRACE_PAGE",
    critique,
    queueItemId: null,
    annotatorId: expect.any(String),
    issueId: expect.any(String),
    annotator: { id: annotatorId, name: person.name, email: person.email ?? "", image: null },
    createdAt: expect.any(String),
    modifiedAt: expect.any(String),
    definitionId: null,
    score: null,
    passId: null,
  });
  expect((await api.get(`/v0/issues/${issueId}`)).body.data).toMatchObject({
    title: critique,
    description: critique,
    source: "HUMAN_ANNOTATION",
    type: "HUMAN_ANNOTATION",
    traceId,
  });
  const changed = await api.send("PUT", `/v0/human-annotations/${id}`, { json: { verdict: true, critique: null } });
  expect(changed.body.data).toMatchObject({ id, verdict: true, critique: null, issueId });
  const query = `traceId=${traceId}&annotatorId=${annotatorId}&source=TRACE_PAGE,TEST_PAGE&verdict=true&queueItemId=`;
  expect((await api.get(`/v0/human-annotations?${query}&orderBy=verdict`)).body.data).toEqual([changed.body.data]);
  expect((await api.get(`/v0/human-annotations?${query}&startDate=2999-01-01`)).body.data).toEqual([]);
});

test("a queue is filled, worked through by its assignee, and shows its progress", async () => {
  const topicId = (await api.post("/v0/topics", { title: "Fees" })).body.data.id;
  const created = await api.post("/v0/human-annotation-queues", { topicId });
  expect(created.status).toBe(201);
  const queue = created.body.data;
  const { assigneeId } = queue;
  const person = (await api.get(`/v0/users/${assigneeId}`)).body.data;
  expect(queue).toEqual({
    id: expect.any(String),
    orgId,
    applicationId,
    topicId,
    topicTitle: "Fees",
    assigneeId,
    assigneeName: person.name,
    assigneeEmail: person.email ?? "",
    pendingCount: 0,
    completedCount: 0,
    createdAt: expect.any(String),
    definitionId: null,
    criterion: null,
  });
  expect(await api.post("/v0/human-annotation-queues", { topicId })).toMatchObject({
    status: 409,
    body: { message: "The assignee has a queue of this topic" },
  });

  const traceIds = [await newTrace(), await newTrace()];
  const items = `/v0/human-annotation-queues/${queue.id}/items`;
  expect(await api.post(items, { traceIds })).toMatchObject({ status: 201, body: { count: 2, present: 0 } });
  const listed = `/v0/human-annotation-queue-items?queueId=${queue.id}`;
  const [item] = (await api.get(`${listed}&completion=PENDING&traceId=${traceIds[0]}`)).body.data;
  expect(item).toEqual({
    id: item.id,
    orgId,
    applicationId,
    queueId: queue.id,
    traceId: traceIds[0],
    completedAt: null,
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    definitionId: null,
    criterion: null,
  });
  expect(Date.parse(item.expiresAt) - Date.parse(item.createdAt)).toBe(90 * 86_400_000);
  const judged = { traceId: traceIds[0], verdict: true, source: "REVIEW_QUEUE", queueItemId: item.id };
  expect((await api.post("/v0/human-annotations", judged)).status).toBe(201);
  expect((await api.get(`${listed}&completion=COMPLETED`)).body.data).toMatchObject([{ id: item.id }]);
  const progress = { ...queue, pendingCount: 1, completedCount: 1 };
  const mine = `/v0/human-annotation-queues?topicId=${topicId}&assignedToCurrentUser=true`;
  expect((await api.get(mine)).body.data).toEqual([progress]);

  const own = `/v0/human-annotation-queues/${queue.id}`;
  expect(await api.send("PUT", own, { json: { assigneeId } })).toMatchObject({ status: 200, body: { data: progress } });
  expect(await api.send("PUT", own, { json: { assigneeId: newId() } })).toMatchObject({
    status: 404,
    body: { message: "User not found" },
  });
  expect(await api.send("DELETE", own)).toMatchObject({ status: 204, body: undefined });
  expect([(await api.get(mine)).body.data, (await api.get(listed)).body.data]).toEqual([[], []]);
  expect((await api.send("DELETE", own)).status).toBe(404);
  const { data: stored } = (await api.get(`/v0/human-annotations?traceId=${traceIds[0]}`)).body;
  expect(stored).toMatchObject([{ source: "REVIEW_QUEUE", queueItemId: item.id }]);
});

test("a report counts what the list counts, by topic, with the interval of the share that passes", async () => {
  const other = await newTenant();
  const { api } = other;
  const topicId = (await api.post("/v0/topics", { title: "Cards" })).body.data.id;
  const taskId = (await api.post("/v0/tasks", { title: "Card", description: "asked", topicId })).body.task.id;
  const { testIds } = (await api.post("/v0/tests/results", { tests: [{ taskId }] })).body;
  const events = [{ type: "trace", testId: testIds[0] }, { type: "trace" }, { type: "trace" }];
  const traces = (await api.post("/v0/ingest", { events })).body.data;
  for (const [at, { id: traceId }] of traces.entries())
    await api.post("/v0/human-annotations", { traceId, verdict: at > 0, source: "TEST_PAGE", critique });
  const report = async (body: object) =>
    (await api.post("/v0/reporting/query", { datasource: "human_annotation", timezone: "UTC", ...body })).body.data;
  const listed = (await api.get("/v0/human-annotations")).body.data;
  const rows = (await report({})).results;
  expect(rows.map(({ id }: { id: string }) => id)).toEqual(listed.map(({ id }: { id: string }) => id));
  expect(rows[2]).toMatchObject({
    testId: testIds[0],
    taskId: { id: taskId, name: "Card" },
    topicId: { id: topicId, name: "Cards" },
    verdict: false,
    source: "TEST_PAGE",
    annotatorId: listed[2].annotatorId,
  });
  const measurements = [{ type: "count" }, { type: "interval", column: "verdict" }];
  const groups = (await report({ groupBy: [{ column: "topicId", type: "string" }], measurements })).results;
  expect(groups).toHaveLength(2);
  expect(groups).toContainEqual(
    expect.objectContaining({ topicId: null, count: 2, interval_verdict: { n: 2, low: expect.any(Number), high: 1 } }),
  );
  await api.post(`/v0/topics/${topicId}/archive`, { cascade: true });
  expect((await report({ includeArchived: false, measurements: [{ type: "count" }] })).results).toEqual([{ count: 2 }]);
});

test("lists every fault of a body and of a query at once", async () => {
  const post = (path: string, json: object) => api.post(path, json);
  const judged = { traceId: newId(), verdict: true, source: "TRACE_PAGE" };
  expect(faults(await post("/v0/human-annotations", { traceId: "1", source: "MAIL", critique: "" }))).toEqual([
    "critique too_small",
    "source invalid_enum_value",
    "traceId invalid_string",
    "verdict invalid_type",
  ]);
  expect(faults(await post("/v0/human-annotations", { ...judged, verdict: false }))).toEqual(["critique custom"]);
  expect(faults(await post("/v0/human-annotations", { ...judged, queueItemId: newId() }))).toEqual([
    "queueItemId custom",
  ]);
  const put = (json: object) => api.send("PUT", `/v0/human-annotation-queues/${newId()}`, { json });
  expect([faults(await put({})), faults(await put({ assigneeId: "" }))]).toEqual([
    ["assigneeId invalid_type"],
    ["assigneeId too_small"],
  ]);
  expect(faults(await post(`/v0/human-annotation-queues/${newId()}/items`, { traceIds: [] }))).toEqual([
    "traceIds too_small",
  ]);
  expect(faults(await api.get("/v0/human-annotation-queue-items?completion=DONE&orderBy=traceId"))).toEqual([
    "completion invalid_enum_value",
    "orderBy invalid_enum_value",
  ]);
});
