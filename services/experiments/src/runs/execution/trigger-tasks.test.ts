import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import { fromValue } from "@ems/kit/json/free-value";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { TaskType } from "@ems/proto/catalog/v1/task_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { runTestsMax } from "@ems/proto/limits";
import { testCall, testTenant } from "@ems/test-support";
import { describe, expect, test } from "vitest";
import { executions } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const runs = harness.client(RunService);
const execution = harness.client(ExecutionService);
const tenant = testTenant();
const value = (json: JsonValue) => fromJson(ValueSchema, json);
const countRuns = async () => Number((await runs.listRuns({}, testCall(tenant))).pagination?.total);

describe("a trigger", () => {
  test("makes a test of each example and repetition, with the task's metadata in the prompt", async () => {
    const of = executions(harness, testTenant());
    const plan = { type: TaskType.STATIC, inputExamples: ["a", "b"], metadata: { tier: 1 } };
    const { tests } = await of.trigger({ repeat: 3, plan });
    expect(tests.map(({ prompt }) => prompt?.kind.value).toSorted()).toEqual(["a", "a", "a", "b", "b", "b"]);
    const events = await of.events("prompt.requested", tests[0]?.id ?? "");
    expect(events).toMatchObject([{ metadata: { tier: 1 } }]);
  });

  test("expects the answer of the example, else that of the link, and sends the example's metadata", async () => {
    const of = executions(harness, testTenant());
    const [plain, other] = [newId(), newId()];
    const definitions = [
      { id: plain, type: EvalDefinitionType.OUTPUT_MATCH, expected: value("linked") },
      { id: other, type: EvalDefinitionType.FACT },
    ];
    const examples = [
      { position: 1, expected: value(["4", "four"]), metadata: { tier: 2, level: 1 } },
      { position: 2, expected: value("") },
    ];
    const plan = { inputExamples: ["a", "b", "c"], examples, metadata: { tier: 1, tone: "curt" }, definitions };
    const { tests } = await of.trigger({ plan });
    const judged = new Map<unknown, unknown>();
    for (const { id, prompt } of tests) {
      const [event] = await of.events("prompt.requested", id);
      await of.accept(id, '{"output": "It"}');
      const evaluationIds = of.listEvaluations(await of.claim(1)).map((evaluation) => evaluation.id);
      const { evaluations } = await execution.getJudgeInput({ testId: id, evaluationIds }, of.call());
      const expected = new Map(
        evaluations.map((each) => [each.definition?.id, each.expected && fromValue(each.expected)]),
      );
      judged.set(prompt?.kind.value, [expected.get(plain), expected.get(other), event?.metadata]);
    }
    expect(judged).toEqual(
      new Map([
        ["a", ["linked", undefined, { tier: 1, tone: "curt" }]],
        ["b", [["4", "four"], ["4", "four"], { tier: 2, tone: "curt", level: 1 }]],
        ["c", ["", "", { tier: 1, tone: "curt" }]],
      ]),
    );
  });

  test("uses the description of a NORMAL task without examples as the prompt", async () => {
    const of = executions(harness, testTenant());
    const { tests } = await of.trigger({ plan: { inputExamples: [] } });
    expect(tests.map(({ prompt }) => prompt?.kind.value)).toEqual(["Says hello"]);
  });

  test("starts nothing for an unknown task or definition", async () => {
    const [registered, unknown] = [newId(), newId()];
    harness.missing.add(unknown);
    const started = (request: { taskIds: string[]; definitionIds?: string[] }) =>
      runs.triggerTasks(request, testCall(tenant));
    await expect(started({ taskIds: [registered, unknown] })).rejects.toThrow("Task not found");
    await expect(started({ taskIds: [registered], definitionIds: [unknown] })).rejects.toThrow(
      "Evaluation definition not found",
    );
    expect(await countRuns()).toBe(0);
  });

  test("refuses archived tasks and tasks without a prompt, and starts nothing", async () => {
    const [archived, empty] = [newId(), newId()];
    harness.plans.set(archived, { isArchived: true });
    harness.plans.set(empty, { type: TaskType.STATIC, inputExamples: [] });
    await expect(runs.triggerTasks({ taskIds: [newId(), archived] }, testCall(tenant))).rejects.toThrow();
    await expect(runs.triggerTasks({ taskIds: [empty] }, testCall(tenant))).rejects.toThrow();
    expect(await countRuns()).toBe(0);
  });

  test(`makes at most ${runTestsMax} tests`, async () => {
    const of = executions(harness, testTenant());
    const taskId = newId();
    const start = (examples: number) => {
      harness.plans.set(taskId, { inputExamples: Array.from({ length: examples }, () => "x") });
      return runs.triggerTasks({ taskIds: [taskId, taskId], repeat: 20 }, of.call());
    };
    await expect(start(runTestsMax / 20 + 1)).rejects.toThrow();
    const { runId } = await start(runTestsMax / 20);
    expect((await of.readRun(runId))?.progress).toMatchObject({ completed: 0n, total: BigInt(runTestsMax) });
  }, 60_000);

  test("accepts at most 1,000 tasks", async () => {
    const taskIds = Array.from({ length: 1_001 }, () => newId());
    await expect(runs.triggerTasks({ taskIds }, testCall(tenant))).rejects.toThrow();
    await expect(runs.triggerTasks({ taskIds: [] }, testCall(tenant))).rejects.toThrow();
    expect(await countRuns()).toBe(0);
  });
});

test("a run with the caller's id starts once, even under concurrent requests", async () => {
  const of = executions(harness, testTenant());
  const [runId, taskId] = [newId(), newId()];
  const request = { runId, type: RunType.SCHEDULED, taskIds: [taskId], repeat: 2 };
  const answers = await Promise.all([1, 2, 3].map(() => execution.startRun(request, of.call())));
  answers.push(await execution.startRun(request, of.call()));
  expect(answers.map(({ testCount }) => testCount)).toEqual([2, 2, 2, 2]);
  expect(await of.listTests(runId)).toHaveLength(2);
  expect(await of.readRun(runId)).toMatchObject({ type: RunType.SCHEDULED });
});
