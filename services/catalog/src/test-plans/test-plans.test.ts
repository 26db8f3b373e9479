import { fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ReferenceService } from "@ems/proto/catalog/v1/reference_service";
import { TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import { TestPlanService } from "@ems/proto/catalog/v1/test_plan_service";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, describe, expect, test } from "vitest";
import { catalogHarness } from "../../test/harness.ts";

const harness = await catalogHarness();
const { tasks, topics, definitions } = harness;
const plans = harness.client(TestPlanService);
const { FACT, CUSTOM } = EvalDefinitionType;

let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const asTenant = () => testCall(tenant);
const words = { title: "t", description: "d" };
const newTopic = async () => (await topics.createTopic({ title: "Orders" }, asTenant())).data?.id ?? "";
const newTask = async (request: object = {}, call = asTenant()) =>
  (await tasks.createTask({ ...words, ...request }, call)).task?.id ?? "";
const newDefinition = async (name: string, request: object = {}, call = asTenant()) =>
  (await definitions.createDefinition({ type: FACT, name, ...request }, call)).data?.id ?? "";
const expecting = (expected: JsonValue) => ({ config: { expected: fromJson(ValueSchema, expected) } });
const readPlan = async (id: string, call = asTenant()) => (await plans.getTestPlans({ taskIds: [id] }, call)).plans[0];
/** Returns the ids of the definitions that apply to a task, with their expected answers. */
const applied = async (id: string) =>
  (await readPlan(id))?.definitions.map(({ id, expected }) => [id, expected && toJson(ValueSchema, expected)]);

describe("plans", () => {
  test("a plan has the content of prompts, also for archived tasks; unknown and foreign tasks have no plan", async () => {
    const topicId = await newTopic();
    const content = {
      ...words,
      topicId,
      type: TaskType.STATIC,
      inputExamples: ["one", "two"],
      metadata: { tone: "curt" },
      simulatedPromptSchema: { type: "object" },
    };
    const id = await newTask(content);
    expect(await readPlan(id.toUpperCase())).toMatchObject({
      ...content,
      taskId: id,
      isArchived: false,
      definitions: [],
    });

    const bare = await newTask();
    await tasks.archiveTask({ id: bare }, asTenant());
    const archived = await readPlan(bare);
    expect(archived).toMatchObject({
      ...words,
      type: TaskType.NORMAL,
      inputExamples: [],
      metadata: {},
      isArchived: true,
    });
    expect(archived).not.toHaveProperty("topicId");
    expect(archived).not.toHaveProperty("simulatedPromptSchema");

    const foreign = await newTask({}, testCall(testTenant()));
    expect((await plans.getTestPlans({ taskIds: [newId(), foreign] }, asTenant())).plans).toEqual([]);
  });

  test("definitions of the task, its topic and the application apply once each, with the nearest expected answer", async () => {
    const [topicId, otherTopicId] = [await newTopic(), await newTopic()];
    const [task, sibling, stranger] = [
      await newTask({ topicId }),
      await newTask({ topicId }),
      await newTask({ topicId: otherTopicId }),
    ];
    const [everywhere, ofTopic, ofTask, ofOther] = [
      await newDefinition("everywhere"),
      await newDefinition("topic"),
      await newDefinition("task"),
      await newDefinition("other"),
    ];
    await newDefinition("linked to nothing");
    const call = asTenant();
    await definitions.linkApplication({ evalIds: [everywhere, ofTopic] }, call);
    await definitions.linkTopics(
      { evalIds: [everywhere, ofTopic], topicIds: [topicId], ...expecting("topic's") },
      call,
    );
    await definitions.linkTopics({ evalIds: [ofOther], topicIds: [otherTopicId] }, call);
    await definitions.linkTasks({ evalIds: [ofTopic], taskIds: [task], ...expecting(["task's"]) }, call);
    await definitions.linkTasks({ evalIds: [ofTask, everywhere], taskIds: [task] }, call);

    // The task's own link to `everywhere` has no expected answer, so the topic's answer applies.
    expect(await applied(task)).toEqual([
      [everywhere, "topic's"],
      [ofTopic, ["task's"]],
      [ofTask, undefined],
    ]);
    expect(await applied(sibling)).toEqual([
      [everywhere, "topic's"],
      [ofTopic, "topic's"],
    ]);
    expect(await applied(stranger)).toEqual([
      [everywhere, undefined],
      [ofTopic, undefined],
      [ofOther, undefined],
    ]);
    const { plans: all } = await plans.getTestPlans({ taskIds: [task, sibling, stranger] }, call);
    expect(new Map(all.map(({ taskId, definitions }) => [taskId, definitions.length]))).toEqual(
      new Map([
        [task, 3],
        [sibling, 2],
        [stranger, 3],
      ]),
    );
  });

  test("an empty list and a text are valid expected answers", async () => {
    const [task, list, text] = [await newTask(), await newDefinition("list"), await newDefinition("text")];
    await definitions.linkTasks({ evalIds: [list], taskIds: [task], ...expecting([]) }, asTenant());
    await definitions.linkTasks({ evalIds: [text], taskIds: [task], ...expecting("") }, asTenant());
    expect(await applied(task)).toEqual([
      [list, []],
      [text, ""],
    ]);
  });

  test("a draft of a quickstart does not apply", async () => {
    const quickstartId = newId();
    await harness.client(ReferenceService).registerQuickstart({ id: quickstartId }, asTenant());
    const task = await newTask();
    const draft = await newDefinition("draft", { quickstartId });
    await definitions.linkApplication({ evalIds: [draft] }, asTenant());
    await definitions.linkTasks({ evalIds: [draft], taskIds: [task] }, asTenant());
    expect(await applied(task)).toEqual([]);
  });

  test("definitions that another tenant linked to its application do not apply", async () => {
    const other = testCall(testTenant());
    await definitions.linkApplication({ evalIds: [await newDefinition("theirs", {}, other)] }, other);
    expect(await applied(await newTask())).toEqual([]);
  });

  test("a call has 1 to 20 tasks", async () => {
    const ids = (length: number) => Array.from({ length }, newId);
    expect((await plans.getTestPlans({ taskIds: ids(20) }, asTenant())).plans).toEqual([]);
    for (const taskIds of [[], ids(21)]) {
      await expect(plans.getTestPlans({ taskIds }, asTenant())).rejects.toMatchObject({ code: Code.InvalidArgument });
    }
  });
});

describe("definitions of judges", () => {
  test("they contain the judge's settings; unknown and foreign ones are omitted", async () => {
    const globalConfig = { criterion: "Names a date" };
    const custom = await newDefinition("dates", { type: CUSTOM, globalConfig });
    const foreign = await newDefinition("theirs", {}, testCall(testTenant()));
    const { definitions: found } = await plans.batchGetJudgeDefinitions(
      { ids: [custom, foreign, newId()] },
      asTenant(),
    );
    expect(found).toMatchObject([
      { id: custom, version: 1, type: CUSTOM, name: "dates", globalConfig, styleGuide: [] },
    ]);
  });
});

describe("the deduced task", () => {
  test("is unique for the application and for each topic, under concurrent calls", async () => {
    const topicId = await newTopic();
    const call = asTenant();
    const request = (topic: { topicId?: string }) => plans.ensureDeducedTask(topic, call);
    const requests = [{}, { topicId }, { topicId: topicId.toUpperCase() }];
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => request(requests[index % 3] ?? {})));
    const ids = new Map(answers.map((answer) => [answer.taskId, answer.topicId]));
    expect([...ids.values()].sort()).toEqual([topicId, undefined]);
    expect(await request({ topicId })).toEqual(answers[1]);

    const { data } = await tasks.listTasks({}, call);
    expect(data.map(({ title, status }) => [title, status]).sort()).toEqual([
      ["Live traffic", TaskStatus.DEDUCED],
      ["Live traffic: Orders", TaskStatus.DEDUCED],
    ]);
    expect((await topics.getTopic({ id: topicId }, call)).data).toMatchObject({ taskCount: 0n });
  });

  test("is not found for an unknown or foreign topic, and nothing is created", async () => {
    const foreign = (await topics.createTopic({ title: "theirs" }, testCall(testTenant()))).data?.id ?? "";
    for (const topicId of [newId(), foreign]) {
      await expect(plans.ensureDeducedTask({ topicId }, asTenant())).rejects.toMatchObject({
        code: Code.NotFound,
        rawMessage: "Topic not found",
      });
    }
    expect((await tasks.listTasks({}, asTenant())).data).toEqual([]);
  });

  test("stays the same when archived, and is replaced when a person takes it over or moves it", async () => {
    const ensure = async (request: { topicId?: string } = {}) =>
      (await plans.ensureDeducedTask(request, asTenant())).taskId;
    const first = await ensure();
    await tasks.archiveTask({ id: first }, asTenant());
    expect(await ensure()).toBe(first);
    await tasks.updateTask({ id: first, status: TaskStatus.ACTIVE }, asTenant());
    const second = await ensure();
    expect(second).not.toBe(first);

    const topicId = await newTopic();
    const ofTopic = await ensure({ topicId });
    await tasks.updateTask({ id: second, topicId: fromJson(ValueSchema, topicId) }, asTenant());
    expect(await ensure({ topicId })).toBe(ofTopic);
    expect(await ensure()).not.toBe(second);
  });
});
