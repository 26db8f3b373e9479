import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { topics, definitions, tenant, database, client } = await catalogHarness();
const plans = client(TestPlanService);

async function topicWithTasks(statuses: string[]): Promise<string> {
  const { data } = await topics.createTopic({ title: "With tasks" }, testCall(tenant));
  const id = data?.id ?? "";
  for (const status of statuses) {
    await database.sql(
      `INSERT INTO catalog.task (application_id, id, org_id, topic_id, title, description, type, status, created_at, modified_at)
       VALUES ($1, $2, $3, $4, 'Task', '', 'NORMAL', $5, now(), now())`,
      [tenant.applicationId, newId(), tenant.orgId, id, status],
    );
  }
  return id;
}

const taskStatuses = async (topicId: string) =>
  (
    await database.sql<{ status: string; topic_id: string }>("SELECT status FROM catalog.task WHERE topic_id = $1", [
      topicId,
    ])
  ).map(({ status }) => status);

const archivedEvents = (id: string) => outboxEvents(database, "catalog", { type: "topic.archived", text: id });

test("archiving leaves the tasks active and on their topic", async () => {
  const id = await topicWithTasks(["ACTIVE", "DRAFT"]);
  await topics.archiveTopic({ id }, testCall(tenant));
  const { data } = await topics.getTopic({ id }, testCall(tenant));
  expect(data).toMatchObject({ status: TopicStatus.ARCHIVED, taskCount: 1n });
  expect((await taskStatuses(id)).sort()).toEqual(["ACTIVE", "DRAFT"]);
});

test("archiving with cascade archives its tasks", async () => {
  const id = await topicWithTasks(["ACTIVE", "DRAFT", "ARCHIVED"]);
  await topics.archiveTopic({ id, cascade: true }, testCall(tenant));
  const { data } = await topics.getTopic({ id }, testCall(tenant));
  expect(data).toMatchObject({ status: TopicStatus.ARCHIVED, taskCount: 0n });
  expect(await taskStatuses(id)).toEqual(["ARCHIVED", "ARCHIVED", "ARCHIVED"]);
});

test("a cascade publishes one event for each task that it archives, and no other", async () => {
  const id = await topicWithTasks(["ACTIVE", "DRAFT", "DEDUCED", "ARCHIVED"]);
  await topics.archiveTopic({ id, cascade: true }, testCall(tenant));
  await topics.archiveTopic({ id, cascade: true }, testCall(tenant));
  const events = await outboxEvents(database, "catalog", { type: "task.archived", text: id });
  const published = events.map(({ payload }) => JSON.parse(payload));
  expect(new Set(published.map(({ data }) => data.id)).size).toBe(3);
  expect(published.map((event) => event.id)).toEqual(events.map((event) => event.id));
  for (const event of published) expect(event.data).toMatchObject({ topicId: id, status: "ARCHIVED", title: "Task" });
  expect(events[0]?.subject).toBe(`ems.v1.evt.catalog.task.archived.${tenant.applicationId}`);
});

test("the events of a cascade have each task's own definitions", async () => {
  const topicId = await topicWithTasks([]);
  const linked = async (name: string) => {
    const { data } = await definitions.createDefinition({ type: EvalDefinitionType.FACT, name }, testCall(tenant));
    const task = { title: name, description: "d", inputExamples: ["Hello"], topicId };
    const request = { task, traceId: newId(), evalIds: data === undefined ? [] : [data.id] };
    await plans.createTracedTask(request, testCall(tenant));
    return data?.id;
  };
  const expected = { Fee: [await linked("Fee")], Refund: [await linked("Refund")], Task: [] as string[] };
  await database.sql(
    `INSERT INTO catalog.task (application_id, id, org_id, topic_id, title, description, type, status, created_at, modified_at)
     VALUES ($1, $2, $3, $4, 'Task', '', 'NORMAL', 'ACTIVE', now(), now())`,
    [tenant.applicationId, newId(), tenant.orgId, topicId],
  );
  await topics.archiveTopic({ id: topicId, cascade: true }, testCall(tenant));
  const events = await outboxEvents(database, "catalog", { type: "task.archived", text: topicId });
  const published = events.map(({ payload }) => {
    const { title, evalDefinitions } = JSON.parse(payload).data;
    return [title, evalDefinitions.map(({ evalDefinition }: { evalDefinition: { id: string } }) => evalDefinition.id)];
  });
  expect(Object.fromEntries(published)).toEqual(expected);
});

test("a topic of 10,000 tasks is archived with all of them in one call", async () => {
  const id = await topicWithTasks([]);
  // Disables the search trigger, because indexing takes ten times as long as the rest and the test does not search.
  await database.sql("ALTER TABLE catalog.task DISABLE TRIGGER search");
  await database.sql(
    `INSERT INTO catalog.task (application_id, id, org_id, topic_id, title, description, type, status, created_at, modified_at)
     SELECT $1, gen_random_uuid(), $2, $3, 'Many', '', 'NORMAL', 'ACTIVE', now(), now() FROM generate_series(1, 10000)`,
    [tenant.applicationId, tenant.orgId, id],
  );
  await database.sql("ALTER TABLE catalog.task ENABLE TRIGGER search");
  await topics.archiveTopic({ id, cascade: true }, testCall(tenant, 30_000));
  expect(await outboxEvents(database, "catalog", { type: "task.archived", text: id })).toHaveLength(10_000);
});

test("archiving is idempotent and publishes one event; a later cascade archives the tasks", async () => {
  const id = await topicWithTasks(["ACTIVE"]);
  await topics.archiveTopic({ id }, testCall(tenant));
  await topics.archiveTopic({ id }, testCall(tenant));
  expect(await archivedEvents(id)).toHaveLength(1);
  await topics.archiveTopic({ id, cascade: true }, testCall(tenant));
  expect(await taskStatuses(id)).toEqual(["ARCHIVED"]);
  expect(await archivedEvents(id)).toHaveLength(1);
});

test("a topic of the largest size can be archived, with any assignee", async () => {
  const readPayload = async (id: string) => {
    const [event] = await outboxEvents(database, "catalog", { type: "topic.created", text: id });
    return event?.payload ?? "";
  };
  const small = await topics.createTopic({ title: "x" }, testCall(tenant));
  const room = 128 * 1024 - (await readPayload(small.data?.id ?? "")).length;
  await expect(topics.createTopic({ title: "x".repeat(room + 2) }, testCall(tenant))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
  const { data } = await topics.createTopic({ title: "x".repeat(room + 1) }, testCall(tenant));
  const id = data?.id ?? "";
  expect(await readPayload(id)).toHaveLength(128 * 1024);
  await database.sql("UPDATE catalog.topic SET assigned_to = 'ada' WHERE id = $1", [id]);
  await topics.archiveTopic({ id }, testCall(tenant));
  expect(await archivedEvents(id)).toHaveLength(1);
});

test("another tenant's topic is not found and does not change", async () => {
  const id = await topicWithTasks([]);
  for (const [requestedId, by] of [
    [id, testTenant()],
    [newId(), tenant],
  ] as const) {
    await expect(topics.archiveTopic({ id: requestedId, cascade: true }, testCall(by))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Topic not found",
    });
  }
  const { data } = await topics.getTopic({ id }, testCall(tenant));
  expect(data?.status).toBe(TopicStatus.ACTIVE);
});
