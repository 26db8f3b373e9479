import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { writeJson } from "@ems/kit/json/write";
import { TopicSchema, TopicStatus } from "@ems/proto/catalog/v1/topic_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness, existingUser } from "../../test/harness.ts";

const { topics, tenant, clock } = await catalogHarness();
const value = (json: string | number | boolean | null) => fromJson(ValueSchema, json);

async function newTopic(by = tenant) {
  const { data } = await topics.createTopic({ title: "before", baseline: 0.5 }, testCall(by));
  if (data === undefined) throw new Error("no topic");
  return data;
}
const read = async (id: string, by = tenant) => (await topics.getTopic({ id }, testCall(by))).data;

const flags = {
  isInScope: false,
  isTasksVerified: true,
  isDocumentsVerified: true,
  isKnowledgeBaseVerified: true,
  isPoliciesVerified: true,
};

test("an update changes only the requested fields", async () => {
  const { id } = await newTopic();
  clock.advance(1_000);
  // Fields cleared by a change are null in JSON.
  const readJson = async () => writeJson(TopicSchema, (await read(id)) as never);
  const ada = { assignedTo: "ada", assignedUser: expect.objectContaining({ name: existingUser.name }) };
  for (const [request, becomes] of [
    [{ title: "after" }, { title: "after" }],
    [{ baseline: value(0) }, { baseline: 0 }],
    [{ baseline: value(null) }, { baseline: null }],
    [{ status: TopicStatus.DRAFT }, { status: "DRAFT" }],
    [flags, flags],
    [{ assignedTo: value("nobody") }, { assignedTo: "nobody" }],
    [{ assignedTo: value("ada") }, ada],
    [{ title: "again" }, { title: "again" }],
    [{ assignedTo: value(null) }, { assignedTo: null, assignedUser: null }],
  ] as const) {
    const before = await readJson();
    const { data } = await topics.updateTopic({ id, ...request }, testCall(tenant));
    expect(await read(id)).toEqual(data);
    expect(await readJson()).toEqual({ ...before, ...becomes, modifiedAt: clock.now().toISOString() });
  }
});

test("an empty update changes nothing, not even modifiedAt", async () => {
  const before = await newTopic();
  clock.advance(1_000);
  expect((await topics.updateTopic({ id: before.id }, testCall(tenant))).data).toEqual(before);
});

test("status restores an archived topic", async () => {
  const { id } = await newTopic();
  await topics.archiveTopic({ id }, testCall(tenant));
  const { data } = await topics.updateTopic({ id, status: TopicStatus.ACTIVE }, testCall(tenant));
  expect(data?.status).toBe(TopicStatus.ACTIVE);
});

test("requests of services are validated too", async () => {
  const { id } = await newTopic();
  for (const wrong of [
    { title: "" },
    { baseline: value("1") },
    { assignedTo: value("") },
    { assignedTo: value("x".repeat(256)) },
    { assignedTo: value(true) },
    { status: TopicStatus.ARCHIVED },
  ]) {
    for (const request of [
      () => topics.updateTopic({ id, ...wrong }, testCall(tenant)),
      () => topics.updateTopics({ topicIds: [id], ...wrong }, testCall(tenant)),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
  }
});

test("a title that exceeds the event limit is refused", async () => {
  const { id } = await newTopic();
  const title = "x".repeat(128 * 1024);
  await expect(topics.updateTopic({ id, title }, testCall(tenant))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
});

test("many topics are updated in one call; a repeated id counts once", async () => {
  const [a, b, untouched] = [await newTopic(), await newTopic(), await newTopic()];
  clock.advance(1_000);
  const topicIds = [a.id, b.id, a.id.toUpperCase(), b.id];
  const change = { ...flags, baseline: value(0.9), assignedTo: value("ada") };
  expect((await topics.updateTopics({ topicIds, ...change }, testCall(tenant))).count).toBe(2n);
  for (const { id } of [a, b]) expect(await read(id)).toMatchObject({ ...flags, baseline: 0.9, title: "before" });
  expect(await read(untouched.id)).toEqual(untouched);
  expect((await topics.updateTopics({ topicIds }, testCall(tenant))).count).toBe(2n);
});

test("an unknown id or another tenant's is not found, and nothing is changed", async () => {
  const [own, other] = [await newTopic(), testTenant()];
  const foreign = await newTopic(other);
  for (const id of [foreign.id, newId()]) {
    for (const request of [
      () => topics.updateTopic({ id, title: "mine" }, testCall(tenant)),
      () => topics.updateTopics({ topicIds: [own.id, id], title: "mine" }, testCall(tenant)),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Topic not found" });
    }
  }
  expect(await read(own.id)).toEqual(own);
  expect(await read(foreign.id, other)).toEqual(foreign);
});

test("a call has 1 to 100 topics", async () => {
  const topicIds = Array.from({ length: 101 }, newId);
  for (const wrong of [[], topicIds]) {
    await expect(topics.updateTopics({ topicIds: wrong }, testCall(tenant))).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  }
  await expect(topics.updateTopics({ topicIds: topicIds.slice(1) }, testCall(tenant))).rejects.toMatchObject({
    code: Code.NotFound,
  });
});
