import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const { tasks, topics, tenant, database, clock, client } = await catalogHarness();
const references = client(ReferenceService);
const words = { title: "Block a card", description: "The card was stolen." };

test("by default a task is NORMAL, ACTIVE, not verified, and without a topic", async () => {
  const { task } = await tasks.createTask(words, testCall(tenant));
  expect(task).toMatchObject({
    ...words,
    type: TaskType.NORMAL,
    status: TaskStatus.ACTIVE,
    isVerified: false,
    prompts: [],
    applicationId: tenant.applicationId,
    orgId: tenant.orgId,
  });
  expect(task?.topicId).toBeUndefined();
  expect(task?.createdAt?.seconds).toBe(BigInt(clock.now().getTime() / 1000));
});

test("a STATIC task keeps the order of its prompts, and the response equals the stored task", async () => {
  const prompts = ["b", "a", "b", "'\"\\{},\n💶 "];
  const request = { ...words, type: TaskType.STATIC, status: TaskStatus.DRAFT, prompts };
  const { task } = await tasks.createTask(request, testCall(tenant));
  expect(task).toMatchObject(request);
  expect((await tasks.getTask({ id: task?.id ?? "" }, testCall(tenant))).task).toMatchObject(task ?? {});
});

test("STATIC requires prompts within limits of number and length, also from services", async () => {
  for (const wrong of [
    { type: TaskType.STATIC },
    { type: TaskType.STATIC, prompts: ["a"], inputExamples: ["b"] },
    { inputExamples: [""] },
    { type: TaskType.STATIC, prompts: [""] },
    { type: TaskType.STATIC, prompts: ["x".repeat(10_001)] },
    { type: TaskType.STATIC, prompts: Array(10_001).fill("x") },
  ]) {
    await expect(tasks.createTask({ ...words, ...wrong }, testCall(tenant))).rejects.toMatchObject({
      code: Code.InvalidArgument,
    });
  }
  const most = { ...words, type: TaskType.STATIC, prompts: [...Array(9_999).fill("x"), "x".repeat(10_000)] };
  expect((await tasks.createTask(most, testCall(tenant))).task?.prompts).toEqual(most.prompts);
});

test("prompts and inputExamples are two names of one list, also for a NORMAL task", async () => {
  const inputExamples = ["a", "b"];
  for (const request of [{ inputExamples }, { prompts: inputExamples }, { inputExamples, prompts: inputExamples }]) {
    for (const type of [TaskType.NORMAL, TaskType.STATIC]) {
      const { task } = await tasks.createTask({ ...words, ...request, type }, testCall(tenant));
      expect(task).toMatchObject({ inputExamples, prompts: inputExamples });
    }
  }
});

test("metadata and schema are read as created, and metadata is an empty object by default", async () => {
  const metadata = { nested: { list: [1, 2.5, "a", null] }, "": false, __proto__: null };
  const request = { metadata, simulatedPromptSchema: { type: "object", properties: { a: {} } } };
  const { task } = await tasks.createTask({ ...words, ...request }, testCall(tenant));
  expect((await tasks.getTask({ id: task?.id ?? "" }, testCall(tenant))).task).toMatchObject(task ?? {});
  expect(task).toMatchObject({
    metadata: { nested: metadata.nested, "": false },
    simulatedPromptSchema: request.simulatedPromptSchema,
  });
  const { task: plain } = await tasks.createTask(words, testCall(tenant));
  expect([plain?.metadata, plain?.simulatedPromptSchema]).toEqual([{}, undefined]);
});

test("a task can be linked to a quickstart of its application only", async () => {
  const quickstartId = newId();
  await references.registerQuickstart({ id: quickstartId }, testCall(tenant));
  await expect(tasks.createTask({ ...words, quickstartId }, testCall(tenant))).resolves.toBeDefined();
  const lost = tasks.createTask({ ...words, quickstartId }, testCall(testTenant()));
  await expect(lost).rejects.toMatchObject({ code: Code.NotFound, rawMessage: "Quickstart not found" });
});

test("a task can be linked to a topic of its application only", async () => {
  const { data: own } = await topics.createTopic({ title: "own" }, testCall(tenant));
  const { data: other } = await topics.createTopic({ title: "other" }, testCall(testTenant()));
  const { task } = await tasks.createTask({ ...words, topicId: own?.id ?? "" }, testCall(tenant));
  expect(task?.topicId).toBe(own?.id);
  expect((await topics.getTopic({ id: own?.id ?? "" }, testCall(tenant))).data?.taskCount).toBe(1n);
  for (const topicId of [other?.id ?? "", newId()]) {
    await expect(tasks.createTask({ ...words, title: "lost", topicId }, testCall(tenant))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Topic not found",
    });
  }
  expect(await database.sql("SELECT FROM catalog.task WHERE title = 'lost'")).toHaveLength(0);
});

test("a task of more than 128 KiB is refused on creation and update, not on archiving", async () => {
  const description = "x".repeat(128 * 1024);
  await expect(tasks.createTask({ title: "big", description }, testCall(tenant))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
  const almost = { title: "almost", description: description.slice(700) };
  const { task } = await tasks.createTask(almost, testCall(tenant));
  const id = task?.id ?? "";
  await expect(tasks.updateTask({ id, description }, testCall(tenant))).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
  await tasks.archiveTask({ id }, testCall(tenant));
  expect((await tasks.getTask({ id }, testCall(tenant))).task?.status).toBe(TaskStatus.ARCHIVED);
});
