import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, topics, documents, definitions, tenant, database, clock, client } = await catalogHarness();

async function newTask(type: TaskType = TaskType.NORMAL, by = tenant) {
  const prompts = type === TaskType.STATIC ? ["first"] : [];
  const { task } = await tasks.createTask({ title: "before", description: "words", type, prompts }, testCall(by));
  if (task === undefined) throw new Error("no task");
  return task;
}

test("an update changes only the requested fields", async () => {
  const task = await newTask();
  clock.advance(1_000);
  for (const change of [
    { title: "after" },
    { description: "other words" },
    { status: TaskStatus.DRAFT },
    { isVerified: true },
    { isVerified: false },
  ]) {
    const before = (await tasks.updateTask({ id: task.id }, testCall(tenant))).task;
    const after = (await tasks.updateTask({ id: task.id, ...change }, testCall(tenant))).task;
    expect(after).toEqual({ ...before, ...change, modifiedAt: after?.modifiedAt });
    expect((await tasks.getTask({ id: task.id }, testCall(tenant))).task).toMatchObject(after ?? {});
  }
});

test("an empty update changes nothing, not even modifiedAt", async () => {
  const task = await newTask();
  clock.advance(1_000);
  expect((await tasks.updateTask({ id: task.id }, testCall(tenant))).task).toEqual(task);
});

test("topicId links, null unlinks, and an unknown or foreign topic is not found", async () => {
  const { id } = await newTask();
  const { data: own } = await topics.createTopic({ title: "own" }, testCall(tenant));
  const { data: other } = await topics.createTopic({ title: "other" }, testCall(testTenant()));
  const link = (to: string | null) => ({ id, topicId: fromJson(ValueSchema, to) });
  const topicId = own?.id ?? "";
  expect((await tasks.updateTask(link(topicId.toUpperCase()), testCall(tenant))).task?.topicId).toBe(topicId);
  for (const unknown of [other?.id ?? "", newId()]) {
    await expect(tasks.updateTask(link(unknown), testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Topic not found",
    });
  }
  expect((await tasks.updateTask({ id, title: "kept" }, testCall(tenant))).task?.topicId).toBe(topicId);
  expect((await tasks.updateTask(link(null), testCall(tenant))).task?.topicId).toBeUndefined();
});

test("prompts are replaced as a whole, under either name; an empty list clears only those of a NORMAL task", async () => {
  for (const type of [TaskType.STATIC, TaskType.NORMAL]) {
    const { id } = await newTask(type);
    const update = async (change: { prompts?: string[]; inputExamples?: { values: string[] } }) =>
      (await tasks.updateTask({ id, ...change }, testCall(tenant))).task?.inputExamples;
    const [values, prompts] = [["b", "a"], ["c"]];
    expect(await update({ prompts })).toEqual(prompts);
    expect(await update({ inputExamples: { values } })).toEqual(values);
    expect(await update({ prompts: [] })).toEqual(values);
    expect(await update({ inputExamples: { values: [] } })).toEqual(type === TaskType.STATIC ? values : []);
    const both = update({ prompts, inputExamples: { values } });
    await expect(both).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("metadata and schema are replaced as a whole, and cleared by null", async () => {
  const { id } = await newTask();
  const update = async (change: { metadata?: Value; simulatedPromptSchema?: Value }) =>
    (await tasks.updateTask({ id, ...change }, testCall(tenant))).task;
  const value = (json: JsonValue) => fromJson(ValueSchema, json);
  expect((await update({ metadata: value({ a: 1, b: { c: [] } }) }))?.metadata).toEqual({ a: 1, b: { c: [] } });
  expect((await update({ metadata: value({ d: "e" }) }))?.metadata).toEqual({ d: "e" });
  const changed = await update({ simulatedPromptSchema: value({ type: "object" }) });
  expect(changed).toMatchObject({ metadata: { d: "e" }, simulatedPromptSchema: { type: "object" } });
  expect(await update({ metadata: value(null) })).toMatchObject({
    metadata: {},
    simulatedPromptSchema: { type: "object" },
  });
  expect((await update({ simulatedPromptSchema: value(null) }))?.simulatedPromptSchema).toBeUndefined();
  for (const wrong of ["a", 1, [], true]) {
    for (const field of ["metadata", "simulatedPromptSchema"]) {
      await expect(update({ [field]: value(wrong as JsonValue) })).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
    }
  }
});

test("deleteEmptySourceTopic deletes only a topic that the move leaves without tasks", async () => {
  const newTopic = async () => (await topics.createTopic({ title: "source" }, testCall(tenant))).data?.id ?? "";
  const [from, to] = [await newTopic(), await newTopic()];
  const ids = [(await newTask()).id, (await newTask()).id];
  const move = async (id: string, topicId: string | null, deleteEmptySourceTopic = true) =>
    (await tasks.updateTask({ id, topicId: fromJson(ValueSchema, topicId), deleteEmptySourceTopic }, testCall(tenant)))
      .task?.topicId;
  const exists = (id: string) =>
    topics.getTopic({ id }, testCall(tenant)).then(
      () => true,
      () => false,
    );
  for (const id of ids) expect(await move(id, from)).toBe(from);
  const { document } = await documents.createDocument({ title: "left", content: "c", topicId: from }, testCall(tenant));
  const { data: definition } = await definitions.createDefinition(
    { type: EvalDefinitionType.RECALL, name: "d" },
    testCall(tenant),
  );
  await definitions.linkTopics({ evalIds: [definition?.id ?? ""], topicIds: [from] }, testCall(tenant));

  await tasks.archiveTask({ id: ids[1] ?? "" }, testCall(tenant));
  await move(ids[0] ?? "", to);
  expect(await exists(from)).toBe(true);
  await move(ids[1] ?? "", from);
  expect(await exists(from)).toBe(true);
  await move(ids[1] ?? "", null);
  expect([await exists(from), await exists(to)]).toEqual([false, true]);
  expect((await documents.getDocument({ id: document?.id ?? "" }, testCall(tenant))).document?.topicId).toBeUndefined();
  expect((await topics.listTopics({}, testCall(tenant))).data.map(({ id }) => id)).not.toContain(from);
  await move(ids[0] ?? "", null, false);
  expect(await exists(to)).toBe(true);
});

test("concurrent moves of tasks between two topics do not deadlock", async () => {
  const newTopic = async () => (await topics.createTopic({ title: "swap" }, testCall(tenant))).data?.id ?? "";
  const [a, b] = [await newTopic(), await newTopic()];
  const createTask = async (topicId: string) =>
    (await tasks.createTask({ title: "t", description: "d", topicId }, testCall(tenant))).task?.id ?? "";
  await Promise.all([createTask(a), createTask(b)]);
  for (let round = 0; round < 5; round += 1) {
    const moves = [
      [await createTask(a), b],
      [await createTask(b), a],
    ] as const;
    const moved = moves.map(([id, to]) =>
      tasks.updateTask({ id, topicId: fromJson(ValueSchema, to), deleteEmptySourceTopic: true }, testCall(tenant)),
    );
    expect((await Promise.all(moved)).map(({ task }) => task?.topicId)).toEqual([b, a]);
  }
});

test("archiving is idempotent and publishes one event; status restores the task", async () => {
  const { id } = await newTask();
  await tasks.archiveTask({ id }, testCall(tenant));
  await tasks.archiveTask({ id }, testCall(tenant));
  const events = await outboxEvents(database, "catalog", { type: "task.archived", text: id });
  expect(events.map(({ payload }) => JSON.parse(payload))).toMatchObject([
    { type: "task.archived", data: { id, title: "before", status: "ARCHIVED", topicId: null, prompts: [] } },
  ]);
  const { task } = await tasks.updateTask({ id, status: TaskStatus.ACTIVE }, testCall(tenant));
  expect(task?.status).toBe(TaskStatus.ACTIVE);
});

test("another tenant's task is not found and does not change", async () => {
  const foreign = await newTask(TaskType.NORMAL, testTenant());
  for (const id of [foreign.id, newId()]) {
    for (const request of [
      () => tasks.getTask({ id }, testCall(tenant)),
      () => tasks.updateTask({ id, title: "mine" }, testCall(tenant)),
      () => tasks.archiveTask({ id }, testCall(tenant)),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Task not found" });
    }
  }
  expect(await database.sql("SELECT title, status FROM catalog.task WHERE id = $1", [foreign.id])).toEqual([
    { title: "before", status: "ACTIVE" },
  ]);
});

test("live traffic gets a new task only if a person changes the status or topic of its task", async () => {
  const plans = client(TestPlanService);
  const ensure = async () => (await plans.ensureDeducedTask({}, testCall(tenant))).taskId;
  const { data } = await topics.createTopic({ title: "Orders" }, testCall(tenant));
  const first = await ensure();
  await tasks.updateTask({ id: first, title: "Renamed" }, testCall(tenant));
  expect(await ensure()).toBe(first);
  await tasks.updateTask({ id: first, status: TaskStatus.ACTIVE }, testCall(tenant));
  const second = await ensure();
  expect(second).not.toBe(first);
  await tasks.updateTask({ id: second, topicId: fromJson(ValueSchema, data?.id ?? "") }, testCall(tenant));
  expect([first, second]).not.toContain(await ensure());
});
