import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { topics, tenant, database, clock } = await catalogHarness();

test("by default a topic is ACTIVE, in scope, and not verified", async () => {
  const { data } = await topics.createTopic({ title: "Cards" }, testCall(tenant));
  expect(data).toMatchObject({
    title: "Cards",
    status: TopicStatus.ACTIVE,
    isInScope: true,
    isTasksVerified: false,
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
    taskCount: 0n,
    documentCount: 0n,
    evalDefinitions: [],
  });
  expect(data?.baseline).toBeUndefined();
  expect(data?.createdAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
});

test("status and baseline are stored as requested", async () => {
  const { data } = await topics.createTopic(
    { title: "Loans", status: TopicStatus.DRAFT, baseline: 0 },
    testCall(tenant),
  );
  expect(data).toMatchObject({ status: TopicStatus.DRAFT, baseline: 0 });
});

test("a topic can be linked to a quickstart of its application only", async () => {
  const [own, other] = [newId(), newId()];
  await database.sql("INSERT INTO catalog.quickstart (application_id, id) VALUES ($1, $2), ($3, $4)", [
    tenant.applicationId,
    own,
    testTenant().applicationId,
    other,
  ]);
  await expect(topics.createTopic({ title: "a", quickstartId: own }, testCall(tenant))).resolves.toBeDefined();
  for (const quickstartId of [other, newId()]) {
    await expect(topics.createTopic({ title: "b", quickstartId }, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Quickstart not found",
    });
  }
  expect(await database.sql("SELECT FROM catalog.topic WHERE title = 'b'")).toHaveLength(0);
});

test("the topic and its event are one transaction", async () => {
  const { data } = await topics.createTopic({ title: "Told" }, testCall(tenant));
  const events = await outboxEvents(database, "catalog", { text: "Told" });
  expect(events).toHaveLength(1);
  expect(events[0]?.subject).toBe(`ems.v1.evt.catalog.topic.created.${tenant.applicationId}`);
  expect(JSON.parse(events[0]?.payload ?? "")).toMatchObject({
    type: "topic.created",
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
    timestamp: clock.now().toISOString(),
    data: { id: data?.id, title: "Told", status: "ACTIVE", baseline: null, evalDefinitions: [] },
  });
});

test("a topic that does not fit an event is refused and not stored", async () => {
  const title = "x".repeat(130 * 1024);
  await expect(topics.createTopic({ title }, testCall(tenant))).rejects.toMatchObject({ code: Code.ResourceExhausted });
  expect(await database.sql("SELECT FROM catalog.topic WHERE length(title) > 1000")).toHaveLength(0);
});

test("requests of services are validated too", async () => {
  await expect(topics.createTopic({ title: "" }, testCall(tenant))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});
