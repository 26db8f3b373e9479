import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { beforeEach, describe, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { definitions, topics, database, applicationRequests } = await catalogHarness();

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = () => testCall(tenant);
const newDefinition = async (call = asTenant()) =>
  (await definitions.createDefinition({ type: EvalDefinitionType.FACT, name: "a" }, call)).data?.id ?? "";
const expecting = (expected: JsonValue) => ({ expected: fromJson(ValueSchema, expected) });
const toExpected = ({ expected }: { expected?: Value | undefined }) => expected && toJson(ValueSchema, expected);
const newTopic = async (call = asTenant()) => (await topics.createTopic({ title: "a" }, call)).data?.id ?? "";
async function newTask({ applicationId, orgId } = tenant): Promise<string> {
  const id = newId();
  await database.sql(
    `INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
     VALUES ($1, $2, $3, 'Task', '', 'NORMAL', 'ACTIVE', now(), now())`,
    [applicationId, id, orgId],
  );
  return id;
}
const many = (length: number, make: () => Promise<string>) => Promise.all(Array.from({ length }, make));
const linked = async (id: string) => (await definitions.getDefinition({ id }, asTenant())).data;
const links = async (table: "application" | "topic" | "task") =>
  (await database.sql(`SELECT FROM catalog.eval_definition_${table} WHERE application_id = $1`, [tenant.applicationId]))
    .length;
const events = async (type: string) =>
  (await outboxEvents(database, "catalog", { type, text: tenant.applicationId })).map(
    ({ payload }) => JSON.parse(payload).data,
  );

/** Inserts `count` rows directly into the table. */
async function manyRows(table: "topic" | "eval_definition", count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newId);
  const kinds = { topic: "title, status", eval_definition: "name, type" };
  await database.sql(
    `INSERT INTO catalog.${table} (application_id, id, org_id, ${kinds[table]}, created_at, modified_at)
     SELECT $1, id, $2, 'a', $4, now(), now() FROM unnest($3::uuid[]) AS ids (id)`,
    [tenant.applicationId, tenant.orgId, ids, table === "topic" ? "DRAFT" : "FACT"],
  );
  return ids;
}

describe("how many", () => {
  const refused = (rawMessage: string) => ({ code: Code.FailedPrecondition, rawMessage });

  test("a topic has at most 100 definitions, under concurrent calls too", async () => {
    const [topicIds, evalIds] = [await manyRows("topic", 2), await manyRows("eval_definition", 120)];
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        definitions.linkTopics({ evalIds: evalIds.slice(20 * index, 20 * index + 20), topicIds }, asTenant()),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await links("topic")).toBe(200);
    // Linking what is already linked is not an error, and updates the settings of the links.
    const { data } = await topics.getTopic({ id: topicIds[0] ?? "" }, asTenant());
    const linked = data?.evalDefinitions.map(({ evalDefinition }) => evalDefinition?.id ?? "") ?? [];
    expect(linked).toHaveLength(100);
    await definitions.linkTopics({ evalIds: linked, topicIds, config: expecting("no") }, asTenant());
    const left = evalIds.filter((id) => !linked.includes(id)).slice(0, 1);
    const tooManyRequests = refused("A topic has at most 100 evaluation definitions");
    await expect(definitions.linkTopics({ evalIds: left, topicIds }, asTenant())).rejects.toMatchObject(
      tooManyRequests,
    );
  });

  test("a definition is linked to at most 1000 topics", async () => {
    const [topicIds, [id = ""]] = [await manyRows("topic", 1_001), await manyRows("eval_definition", 1)];
    for (let from = 0; from < 1_000; from += 100) {
      await definitions.linkTopics({ evalIds: [id], topicIds: topicIds.slice(from, from + 100) }, asTenant());
    }
    const tooManyRequests = refused("An evaluation definition is linked to at most 1000 topics");
    const last = { evalIds: [id], topicIds: topicIds.slice(1_000) };
    await expect(definitions.linkTopics(last, asTenant())).rejects.toMatchObject(tooManyRequests);
    expect((await linked(id))?.topics).toHaveLength(1_000);
  });
});

describe("the application", () => {
  test("a linked definition returns its application, an unlinked one does not; both calls are idempotent and publish one event", async () => {
    const [first, other] = [await newDefinition(), await newDefinition()];
    for (const evalIds of [[first], [first, first]]) await definitions.linkApplication({ evalIds }, asTenant());
    expect((await linked(first))?.application).toMatchObject({ id: tenant.applicationId, title: "Support assistant" });
    expect((await linked(other))?.application).toBeUndefined();
    expect(await events("definition.linked")).toEqual([
      { evalIds: [first], application: true, topicIds: [], taskIds: [] },
    ]);
    for (const evalIds of [[first, other], [first]]) await definitions.unlinkApplication({ evalIds }, asTenant());
    expect((await linked(first))?.application).toBeUndefined();
    expect(await events("definition.unlinked")).toEqual([
      { evalIds: [first, other], application: true, topicIds: [], taskIds: [] },
    ]);
  });

  test("an unknown id or another tenant's is not found, and nothing is changed", async () => {
    const [own, foreign] = [await newDefinition(), await newDefinition(testCall(testTenant()))];
    for (const unknown of [foreign, newId()]) {
      await expect(definitions.linkApplication({ evalIds: [own, unknown] }, asTenant())).rejects.toMatchObject({
        code: Code.NotFound,
        rawMessage: "Evaluation definition not found",
      });
    }
    expect(await links("application")).toBe(0);
    await definitions.linkApplication({ evalIds: [own] }, asTenant());
    await expect(definitions.unlinkApplication({ evalIds: [own, foreign] }, asTenant())).rejects.toMatchObject({
      code: Code.NotFound,
    });
    expect(await links("application")).toBe(1);
  });

  test("a call has 1 to 100 definitions", async () => {
    const evalIds = await many(100, newDefinition);
    await definitions.linkApplication({ evalIds }, asTenant());
    expect(await links("application")).toBe(100);
    for (const wrong of [[], [...evalIds, newId()]]) {
      await expect(definitions.linkApplication({ evalIds: wrong }, asTenant())).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
    }
  });
});

describe("topics", () => {
  test("each definition is linked to each topic, and returns them", async () => {
    const evalIds = await many(2, newDefinition);
    const topicIds = await many(3, newTopic);
    const request = { evalIds: [...evalIds, ...evalIds], topicIds: [...topicIds, ...topicIds] };
    for (let times = 0; times < 2; times++) await definitions.linkTopics(request, asTenant());
    for (const id of evalIds) expect((await linked(id))?.topics).toEqual([...topicIds].sort());
    expect(await events("definition.linked")).toEqual([{ ...request, application: false, taskIds: [] }]);

    const partial = { evalIds: evalIds.slice(1), topicIds: topicIds.slice(1) };
    for (let times = 0; times < 2; times++) await definitions.unlinkTopics(partial, asTenant());
    expect((await linked(evalIds[0] ?? ""))?.topics).toHaveLength(3);
    expect((await linked(evalIds[1] ?? ""))?.topics).toEqual(topicIds.slice(0, 1));
    expect(await events("definition.unlinked")).toEqual([{ ...partial, application: false, taskIds: [] }]);
  });

  test("linking again changes the settings only if the call has some", async () => {
    const [evalIds, topicIds] = [[await newDefinition()], [await newTopic()]];
    const expected = async () =>
      (await topics.getTopic({ id: topicIds[0] ?? "" }, asTenant())).data?.evalDefinitions[0]?.config;
    for (const [config, then] of [
      [undefined, undefined],
      [expecting("a"), expecting("a")],
      [undefined, expecting("a")],
      [expecting(["b", ""]), expecting(["b", ""])],
      [expecting(["b", ""]), expecting(["b", ""])],
      [{}, undefined],
    ] as const) {
      await definitions.linkTopics({ evalIds, topicIds, ...(config && { config }) }, asTenant());
      const stored = await expected();
      expect(stored && toExpected(stored)).toEqual(then && toExpected(then));
    }
    expect(await events("definition.linked")).toHaveLength(4);
  });

  test("an unknown id or another tenant's is not found, and nothing is changed", async () => {
    const [own, ownTopic] = [await newDefinition(), await newTopic()];
    const other = testCall(testTenant());
    const [foreign, theirTopic] = [await newDefinition(other), await newTopic(other)];
    for (const [evalIds, topicIds, what] of [
      [[own, foreign], [ownTopic], "Evaluation definition"],
      [[newId()], [ownTopic], "Evaluation definition"],
      [[own], [ownTopic, theirTopic], "Topic"],
      [[own], [newId()], "Topic"],
    ] as const) {
      const request = { evalIds: [...evalIds], topicIds: [...topicIds] };
      const fault = { code: Code.NotFound, rawMessage: `${what} not found` };
      await expect(definitions.linkTopics(request, asTenant())).rejects.toMatchObject(fault);
      await expect(definitions.unlinkTopics(request, asTenant())).rejects.toMatchObject(fault);
    }
    expect(await links("topic")).toBe(0);
    expect(await events("definition.linked")).toEqual([]);
  });

  test("a page whose definitions exceed the response limit is refused", async () => {
    const globalConfig = { criterion: "x".repeat(10_000) };
    const evalIds = await many(20, async () => {
      const request = { type: EvalDefinitionType.FACT, name: "a", globalConfig };
      return (await definitions.createDefinition(request, asTenant())).data?.id ?? "";
    });
    await definitions.linkTopics({ evalIds, topicIds: await many(20, newTopic) }, asTenant());
    await expect(topics.listTopics({}, asTenant())).rejects.toMatchObject({ code: Code.ResourceExhausted });
    expect((await topics.listTopics({ limit: 10 }, asTenant())).data).toHaveLength(10);
  });

  test("100 definitions are linked to 100 topics in one call", async () => {
    const [evalIds, topicIds] = [await many(100, newDefinition), await many(100, newTopic)];
    await definitions.linkTopics({ evalIds, topicIds, config: expecting("x") }, asTenant());
    expect(await links("topic")).toBe(10_000);
    await definitions.unlinkTopics({ evalIds, topicIds }, asTenant());
    expect(await links("topic")).toBe(0);
  });

  test("concurrent calls with the same ids in different orders all succeed", async () => {
    const [evalIds, topicIds] = [await many(20, newDefinition), await many(20, newTopic)];
    const orders = [0, 1, 2, 3].map((by) => ({
      evalIds: by % 2 ? [...evalIds].reverse() : evalIds,
      topicIds: by > 1 ? [...topicIds].reverse() : topicIds,
      config: expecting(String(by)),
    }));
    await Promise.all(orders.map((request) => definitions.linkTopics(request, asTenant())));
    expect(await links("topic")).toBe(400);
  });
});

describe("tasks", () => {
  test("linking and unlinking are idempotent and publish one event each", async () => {
    const [evalIds, taskIds] = [await many(2, newDefinition), await many(2, newTask)];
    for (let times = 0; times < 2; times++) await definitions.linkTasks({ evalIds, taskIds }, asTenant());
    expect(await links("task")).toBe(4);
    expect(await events("definition.linked")).toEqual([{ evalIds, taskIds, application: false, topicIds: [] }]);
    const partial = { evalIds, taskIds: taskIds.slice(1) };
    for (let times = 0; times < 2; times++) await definitions.unlinkTasks(partial, asTenant());
    expect(await links("task")).toBe(2);
    expect(await events("definition.unlinked")).toEqual([{ ...partial, application: false, topicIds: [] }]);
  });

  test("an unknown id or another tenant's is not found, and nothing is changed", async () => {
    const [own, ownTask] = [await newDefinition(), await newTask()];
    const other = testTenant();
    for (const [evalId, taskId, what] of [
      [await newDefinition(testCall(other)), ownTask, "Evaluation definition"],
      [own, await newTask(other), "Task"],
      [own, newId(), "Task"],
    ] as const) {
      const request = { evalIds: [own, evalId], taskIds: [ownTask, taskId] };
      const fault = { code: Code.NotFound, rawMessage: `${what} not found` };
      await expect(definitions.linkTasks(request, asTenant())).rejects.toMatchObject(fault);
      await expect(definitions.unlinkTasks(request, asTenant())).rejects.toMatchObject(fault);
    }
    expect(await links("task")).toBe(0);
  });
});

describe("a topic returns the definitions that are linked to it", () => {
  test("when read and listed, with settings and application, by one call to identity", async () => {
    const [plain, everywhere] = [await newDefinition(), await newDefinition()];
    const [first = "", second = "", bare = ""] = await many(3, newTopic);
    await definitions.linkTopics({ evalIds: [plain], topicIds: [first, second], config: expecting("x") }, asTenant());
    await definitions.linkTopics({ evalIds: [everywhere], topicIds: [first] }, asTenant());
    await definitions.linkApplication({ evalIds: [everywhere] }, asTenant());
    applicationRequests.length = 0;
    const { data } = await topics.getTopic({ id: first }, asTenant());
    expect(data?.evalDefinitions).toMatchObject([
      {
        topicId: first,
        config: expecting("x"),
        evalDefinition: { id: plain, topics: [first, second].sort() },
      },
      {
        topicId: first,
        evalDefinition: { id: everywhere, topics: [first], application: { id: tenant.applicationId } },
      },
    ]);
    expect(applicationRequests).toHaveLength(1);
    const { data: all } = await topics.listTopics({}, asTenant());
    const byTopic = new Map(all.map(({ id, evalDefinitions }) => [id, evalDefinitions]));
    expect(byTopic.get(first)).toEqual(data?.evalDefinitions);
    expect(byTopic.get(second)).toMatchObject([{ topicId: second, evalDefinition: { id: plain } }]);
    expect(byTopic.get(bare)).toEqual([]);
    expect(applicationRequests).toHaveLength(2);
  });

  test("in the event of its archiving", async () => {
    const [evalIds, topicIds] = [[await newDefinition()], [await newTopic()]];
    await definitions.linkTopics({ evalIds, topicIds }, asTenant());
    await topics.archiveTopic({ id: topicIds[0] ?? "" }, asTenant());
    expect(await events("topic.archived")).toMatchObject([
      { evalDefinitions: [{ topicId: topicIds[0], evalDefinition: { id: evalIds[0], topics: topicIds } }] },
    ]);
  });

  test("a topic whose definitions exceed the event limit is archived, and the event omits them", async () => {
    const topicId = await newTopic();
    const globalConfig = { criterion: "x".repeat(10_000) };
    const evalIds = await many(14, async () => {
      const request = { type: EvalDefinitionType.FACT, name: "a", globalConfig };
      return (await definitions.createDefinition(request, asTenant())).data?.id ?? "";
    });
    await definitions.linkTopics({ evalIds, topicIds: [topicId] }, asTenant());
    await topics.archiveTopic({ id: topicId }, asTenant());
    expect(await events("topic.archived")).toMatchObject([{ id: topicId, evalDefinitions: [] }]);
    expect((await topics.getTopic({ id: topicId }, asTenant())).data?.evalDefinitions).toHaveLength(14);
  });
});
