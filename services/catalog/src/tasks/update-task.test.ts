import { fromJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, topics, tenant, database, clock } = await catalogHarness();

async function newTask(type: TaskType = TaskType.NORMAL, by = tenant) {
  const prompts = type === TaskType.STATIC ? ["first"] : [];
  const { task } = await tasks.createTask({ title: "before", description: "words", type, prompts }, testCall(by));
  if (task === undefined) throw new Error("no task");
  return task;
}

test("an update changes the fields in the request and no others", async () => {
  const task = await newTask();
  clock.advance(1_000);
  for (const change of [
    { title: "after" },
    { description: "other words" },
    { status: TaskStatus.DRAFT },
    { isVerified: true },
    { isVerified: false },
  ]) {
    const before = (await tasks.getTask({ id: task.id }, testCall(tenant))).task;
    const after = (await tasks.updateTask({ id: task.id, ...change }, testCall(tenant))).task;
    expect(after).toEqual({ ...before, ...change, modifiedAt: after?.modifiedAt });
    expect((await tasks.getTask({ id: task.id }, testCall(tenant))).task).toEqual(after);
  }
});

test("an empty update changes nothing, not even modifiedAt", async () => {
  const task = await newTask();
  clock.advance(1_000);
  expect((await tasks.updateTask({ id: task.id }, testCall(tenant))).task).toEqual(task);
});

test("topicId links, null unlinks, an unknown topic or another tenant's is not found", async () => {
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

test("prompts are replaced together, unchanged by an update without any, and refused for a NORMAL task", async () => {
  const { id } = await newTask(TaskType.STATIC);
  const prompts = ["b", "a"];
  expect((await tasks.updateTask({ id, prompts }, testCall(tenant))).task?.prompts).toEqual(prompts);
  expect((await tasks.updateTask({ id, prompts: [] }, testCall(tenant))).task?.prompts).toEqual(prompts);
  const normal = await newTask();
  await expect(tasks.updateTask({ id: normal.id, prompts }, testCall(tenant))).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

test("archiving is idempotent and publishes one event; status restores the task", async () => {
  const { id } = await newTask();
  await tasks.archiveTask({ id }, testCall(tenant));
  await tasks.archiveTask({ id }, testCall(tenant));
  const events = await database.sql<{ payload: string }>(
    "SELECT payload FROM catalog.outbox WHERE type = 'task.archived' AND payload LIKE $1",
    [`%${id}%`],
  );
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
