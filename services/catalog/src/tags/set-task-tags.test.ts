import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tags, tenant, database } = await catalogHarness();

const newTask = async (by = tenant) =>
  (await tasks.createTask({ title: "a", description: "b" }, testCall(by))).task?.id ?? "";
const newTag = async (name: string = newId(), by = tenant) =>
  (await tags.createTag({ name }, testCall(by))).data?.id ?? "";
const set = async (id: string, tagIds: string[]) =>
  (await tags.setTaskTags({ id, tagIds }, testCall(tenant))).data.map((tag) => tag.id);
const listed = async (id: string) => (await tags.listTaskTags({ id }, testCall(tenant))).data.map((tag) => tag.id);
const events = async (id: string) =>
  (await outboxEvents(database, "catalog", { type: "task.tagged", text: id })).map(
    ({ payload }) => JSON.parse(payload).data,
  );

test("the requested tags replace all others and are returned by name; an empty list removes all", async () => {
  const [task, other] = [await newTask(), await newTask()];
  const [b, a, c] = [await newTag("b"), await newTag("a"), await newTag("c")];
  await tags.tagTasks({ taskIds: [other], tagIds: [c] }, testCall(tenant));
  for (const [requested, expected] of [
    [
      [b, a],
      [a, b],
    ],
    [
      [c, b, c.toUpperCase()],
      [b, c],
    ],
    [
      [b, c],
      [b, c],
    ],
    [[], []],
  ] as [string[], string[]][]) {
    expect(await set(task, requested)).toEqual(expected);
    expect(await listed(task)).toEqual(expected);
  }
  expect(await listed(other)).toEqual([c]);
});

test("an event is published for tags that are new to the task", async () => {
  const [task, first, second] = [await newTask(), await newTag(), await newTag()];
  await set(task, [first]);
  await set(task, [first]);
  await set(task, [first, second]);
  await set(task, []);
  expect(await events(task)).toEqual([
    { taskIds: [task], tagIds: [first] },
    { taskIds: [task], tagIds: [second] },
  ]);
});

test("an unknown id or another tenant's is not found, and nothing is changed", async () => {
  const [task, remaining, other] = [await newTask(), await newTag(), testTenant()];
  await set(task, [remaining]);
  for (const [id, tagIds, rawMessage] of [
    [newId(), [remaining], "Task not found"],
    [await newTask(other), [], "Task not found"],
    [task, [newId()], "Tag not found"],
    [task, [remaining, await newTag("theirs", other)], "Tag not found"],
  ] as const) {
    const request = tags.setTaskTags({ id, tagIds: [...tagIds] }, testCall(tenant));
    await expect(request).rejects.toMatchObject({ code: Code.NotFound, rawMessage });
  }
  expect(await listed(task)).toEqual([remaining]);
});

test("a task has at most 100 tags, also under concurrent requests", async () => {
  const task = await newTask();
  const tagIds = await Promise.all(Array.from({ length: 101 }, () => newTag()));
  await expect(set(task, tagIds)).rejects.toMatchObject({ code: Code.InvalidArgument });
  await Promise.all([set(task, tagIds.slice(1)), set(task, tagIds.slice(0, 100).reverse())]);
  expect(await listed(task)).toHaveLength(100);
});
