import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { outboxEvents, testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, tags, tenant, database } = await catalogHarness();

const newTask = async (by = tenant) =>
  (await tasks.createTask({ title: "a", description: "b" }, testCall(by))).task?.id ?? "";
const newTag = async (by = tenant) => (await tags.createTag({ name: newId() }, testCall(by))).data?.id ?? "";
const listTags = async (id: string) =>
  (await tags.listTaskTags({ id }, testCall(tenant))).data.map((tag) => tag.id).sort();
const taggedEvents = async (id: string) =>
  (await outboxEvents(database, "catalog", { type: "task.tagged", text: id })).map(
    ({ payload }) => JSON.parse(payload).data,
  );

test("each task gets each tag, and the call publishes one event", async () => {
  const taskIds = [await newTask(), await newTask()];
  const tagIds = [await newTag(), await newTag()];
  await tags.tagTasks({ taskIds, tagIds }, testCall(tenant));
  for (const id of taskIds) expect(await listTags(id)).toEqual(tagIds.toSorted());
  expect(await taggedEvents(taskIds[0] ?? "")).toEqual([{ taskIds, tagIds }]);
});

test("adding a tag that a task already has is not an error, changes nothing and publishes no event", async () => {
  const [task, other, tag] = [await newTask(), await newTask(), await newTag()];
  const pair = { taskIds: [task, task.toUpperCase(), task], tagIds: [tag, tag] };
  await tags.tagTasks(pair, testCall(tenant));
  await tags.tagTasks(pair, testCall(tenant));
  expect(await listTags(task)).toEqual([tag]);
  expect(await taggedEvents(task)).toEqual([{ taskIds: [task], tagIds: [tag] }]);
  await tags.tagTasks({ taskIds: [task, other], tagIds: [tag] }, testCall(tenant));
  expect(await listTags(other)).toEqual([tag]);
});

/** Inserts `count` tags directly into the table. */
const manyTags = async (count: number) => {
  const ids = Array.from({ length: count }, newId);
  await database.sql(
    `INSERT INTO catalog.tag (application_id, id, org_id, name, color, description, status, created_at, modified_at)
     SELECT $1, id, $2, id, '#000000', repeat('€', 10000), 'ACTIVE', now(), now() FROM unnest($3::uuid[]) AS ids (id)`,
    [tenant.applicationId, tenant.orgId, ids],
  );
  return ids;
};
const tooManyTags = { code: Code.FailedPrecondition, rawMessage: "A task has at most 100 tags" };

test("a task has at most 100 tags; a call that exceeds the limit changes nothing", async () => {
  const [full, other, tagIds] = [await newTask(), await newTask(), await manyTags(101)];
  const [first = "", ...rest] = tagIds;
  await expect(tags.tagTasks({ taskIds: [full], tagIds }, testCall(tenant))).rejects.toMatchObject(tooManyTags);
  expect(await listTags(full)).toEqual([]);
  await tags.tagTasks({ taskIds: [full], tagIds: rest }, testCall(tenant));
  const both = { taskIds: [other, full], tagIds: [first] };
  await expect(tags.tagTasks(both, testCall(tenant))).rejects.toMatchObject(tooManyTags);
  expect([await listTags(other), (await listTags(full)).length]).toEqual([[], 100]);
  // Adding tags that a task already has is not an error.
  await tags.tagTasks({ taskIds: [full, other], tagIds: rest }, testCall(tenant));
  expect(await listTags(other)).toHaveLength(100);
});

test("concurrent calls do not exceed the limit together", async () => {
  const [task, tagIds] = [await newTask(), await manyTags(120)];
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => {
      const ten = tagIds.slice(10 * index, 10 * index + 10);
      return tags.tagTasks({ taskIds: [task], tagIds: ten }, testCall(tenant));
    }),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  expect(await listTags(task)).toHaveLength(100);
});

test("a task with more tags than the limit lists as many as fit a response", async () => {
  const [task, tagIds] = [await newTask(), await manyTags(500)];
  await database.sql(
    "INSERT INTO catalog.task_tag (application_id, task_id, tag_id) SELECT $1, $2, id FROM unnest($3::uuid[]) AS ids (id)",
    [tenant.applicationId, task, tagIds],
  );
  expect(await listTags(task)).toHaveLength(300);
  await tags.untagTasks({ taskIds: [task], tagIds: tagIds.slice(100) }, testCall(tenant));
  expect(await listTags(task)).toHaveLength(100);
});

test("untagging removes the tags; a task without them is not an error", async () => {
  const [task, tag, remaining] = [await newTask(), await newTag(), await newTag()];
  await tags.tagTasks({ taskIds: [task], tagIds: [tag, remaining] }, testCall(tenant));
  for (const _ of ["first", "repeated"]) {
    await tags.untagTasks({ taskIds: [task, await newTask()], tagIds: [tag] }, testCall(tenant));
    expect(await listTags(task)).toEqual([remaining]);
  }
});

test("an unknown id or another tenant's is not found, and nothing is changed", async () => {
  const [task, tag, other] = [await newTask(), await newTag(), testTenant()];
  const remaining = await newTag();
  await tags.tagTasks({ taskIds: [task], tagIds: [remaining] }, testCall(tenant));
  for (const [taskIds, tagIds, rawMessage] of [
    [[task, newId()], [tag, remaining], "Task not found"],
    [[task, await newTask(other)], [tag, remaining], "Task not found"],
    [[task], [tag, remaining, newId()], "Tag not found"],
    [[task], [tag, remaining, await newTag(other)], "Tag not found"],
  ] as [string[], string[], string][]) {
    for (const request of [
      () => tags.tagTasks({ taskIds, tagIds }, testCall(tenant)),
      () => tags.untagTasks({ taskIds, tagIds }, testCall(tenant)),
    ]) {
      await expect(request()).rejects.toMatchObject({ code: Code.NotFound, rawMessage });
    }
  }
  expect(await listTags(task)).toEqual([remaining]);
});

test("a call has 1 to 1000 ids of each kind and at most 100,000 pairs; 1000 tasks get 10 tags in one call", async () => {
  const ids = await database.sql<{ id: string }>(
    `INSERT INTO catalog.task (application_id, id, org_id, title, description, type, status, created_at, modified_at)
     SELECT $1, gen_random_uuid(), $2, 'many', '', 'NORMAL', 'ACTIVE', now(), now() FROM generate_series(1, 1000) RETURNING id`,
    [tenant.applicationId, tenant.orgId],
  );
  const taskIds = ids.map(({ id }) => id);
  const tagIds = await Promise.all(Array.from({ length: 10 }, () => newTag()));
  await tags.tagTasks({ taskIds, tagIds }, testCall(tenant));
  const [row] = await database.sql("SELECT count(*)::int FROM catalog.task_tag WHERE tag_id = ANY ($1)", [tagIds]);
  expect(row?.count).toBe(10_000);
  for (const wrong of [
    { taskIds: [], tagIds },
    { taskIds, tagIds: [] },
    { taskIds: [...taskIds, newId()], tagIds },
    { taskIds: taskIds.slice(1), tagIds: Array.from({ length: 1001 }, newId) },
    { taskIds, tagIds: Array.from({ length: 101 }, newId) },
  ]) {
    await expect(tags.tagTasks(wrong, testCall(tenant))).rejects.toMatchObject({ code: Code.InvalidArgument });
    await expect(tags.untagTasks(wrong, testCall(tenant))).rejects.toMatchObject({ code: Code.InvalidArgument });
  }
});

test("concurrent calls with the same pairs in different orders both succeed", async () => {
  const [taskIds, tagIds] = [[await newTask(), await newTask()], await Promise.all([newTag(), newTag(), newTag()])];
  await Promise.all([
    tags.tagTasks({ taskIds, tagIds }, testCall(tenant)),
    tags.tagTasks({ taskIds: taskIds.toReversed(), tagIds: tagIds.toReversed() }, testCall(tenant)),
  ]);
  expect(await listTags(taskIds[0] ?? "")).toEqual(tagIds.toSorted());
});

test("a task's tags are listed by name, archived ones too; another tenant's task is not found", async () => {
  const task = await newTask();
  const tagNamed = async (name: string) => (await tags.createTag({ name }, testCall(tenant))).data?.id ?? "";
  const tagIds = [await tagNamed("b"), await tagNamed("a"), await tagNamed("c")];
  await tags.tagTasks({ taskIds: [task], tagIds }, testCall(tenant));
  await tags.archiveTag({ id: tagIds[0] ?? "" }, testCall(tenant));
  const { data } = await tags.listTaskTags({ id: task }, testCall(tenant));
  expect(data.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  expect((await tags.listTaskTags({ id: await newTask() }, testCall(tenant))).data).toEqual([]);
  for (const id of [newId(), await newTask(testTenant())]) {
    await expect(tags.listTaskTags({ id }, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Task not found",
    });
  }
});
