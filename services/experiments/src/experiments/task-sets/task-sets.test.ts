import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { passedOutcome } from "../../../test/executions.ts";
import { experimentsHarness } from "../../../test/harness.ts";
import { variantHelpers } from "../../../test/variants.ts";

const harness = await experimentsHarness();
const whole = { reply: { temperature: 1 } };
const value = (json: JsonValue) => fromJson(ValueSchema, json);
const execution = harness.client(ExecutionService);

/** Runs the baseline of an experiment with one task to its end, then changes and archives the task. */
async function changedMeanwhile() {
  const of = await variantHelpers(harness, { tasks: 1 });
  const [taskId = ""] = of.taskIds;
  const definitionId = newId();
  const link = (expected: string) => [{ id: definitionId, type: EvalDefinitionType.FACT, expected: value(expected) }];
  const examples = [{ position: 0, expected: value("Of the example"), metadata: { b: 1 } }];
  harness.plans.set(taskId, { inputExamples: ["What is it?"], examples, metadata: { a: 1 }, definitions: link("One") });
  const baseline = await of.run((await of.create("Baseline", whole)).id);
  const frozen = (await of.experiment())?.taskSet;
  await of.finish(baseline?.runId ?? "");
  harness.plans.set(taskId, {
    title: "Other",
    inputExamples: ["Who is it?"],
    metadata: { a: 2 },
    isArchived: true,
    definitions: [...link("Two"), { id: newId(), type: EvalDefinitionType.RECALL }],
  });
  harness.versionByDefinition.set(definitionId, 2);
  const branch = await of.create("Colder", { reply: { temperature: 0 } });
  return { ...of, taskId, definitionId, frozen, branch };
}

test("a variant runs the tasks as frozen for the baseline, even if they were changed and archived since", async () => {
  const { of, run, branch, experiment, experiments, id, call, frozen, taskId, definitionId } = await changedMeanwhile();
  const started = await run(branch.id);
  const tests = await of.listTests(started?.runId ?? "");
  expect(tests).toMatchObject([{ taskId, prompt: value("What is it?") }]);
  const [only] = tests;
  expect(await of.events("prompt.requested", only?.id ?? "")).toMatchObject([
    { prompt: "What is it?", metadata: { a: 1, b: 1 } },
  ]);
  expect((await experiment())?.taskSet).toEqual(frozen);
  expect(frozen).toMatchObject({ tasks: 1n, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });

  await of.accept(only?.id ?? "", '{"output": "It"}');
  const [evaluation] = of.listEvaluations(await of.claim(1));
  const ids = { testId: only?.id ?? "", evaluationIds: [evaluation?.id ?? ""] };
  const input = await execution.getJudgeInput(ids, call());
  expect(input.evaluations).toMatchObject([
    { definition: { id: definitionId, version: 1 }, expected: value("Of the example") },
  ]);

  const page = await experiments.getExperimentTaskSet({ id }, call());
  expect(page).toMatchObject({
    taskSet: frozen,
    data: [
      { taskId, inputExamples: ["What is it?"], metadata: { a: 1 }, definitions: [{ id: definitionId, version: 1 }] },
    ],
    pagination: { total: 1n },
  });
  expect(page.data[0]?.definitions[0]?.expected).toEqual(value("One"));
  const example = { input: "What is it?", expected: value("Of the example"), metadata: { b: 1 } };
  expect(page.data[0]?.examples).toMatchObject([example]);
});

test("a rerun judges by the current definition", async () => {
  const { of, run, branch, call } = await changedMeanwhile();
  const started = await run(branch.id);
  const [only] = await of.listTests(started?.runId ?? "");
  await of.accept(only?.id ?? "", '{"output": "It"}');
  const [first] = of.listEvaluations(await of.claim(1));
  await of.record([{ ...passedOutcome, id: first?.id ?? "" }]);
  await harness.client(EvaluationService).rerunEvaluations({ runId: started?.runId ?? "" }, call());
  const [evaluation] = of.listEvaluations(await of.claim(1));
  const ids = { testId: only?.id ?? "", evaluationIds: [evaluation?.id ?? ""] };
  expect((await execution.getJudgeInput(ids, call())).evaluations).toMatchObject([{ definition: { version: 2 } }]);
});

test("a simulated user writes the prompt of the frozen task", async () => {
  const { of, variants, branch, id, call } = await changedMeanwhile();
  const { data } = await variants.runVariant({ id, variantId: branch.id, simulate: true }, call());
  const [only] = await of.listTests(data?.runId ?? "");
  const testId = only?.id ?? "";
  expect(await execution.getPromptInput({ testId }, call())).toMatchObject({ inputExamples: ["What is it?"] });
  await of.claim(1);
  await execution.setPrompt({ testId, result: { case: "prompt", value: value("Hi") } }, call());
  expect(await of.events("prompt.requested", testId)).toMatchObject([{ prompt: "Hi", metadata: { a: 1 } }]);
});

test("equal tasks have equal hashes, and restarting a baseline whose tests all failed freezes the current tasks", async () => {
  const { of, run, create, experiment, taskIds } = await variantHelpers(harness, { tasks: 2 });
  const baseline = await create("Baseline", whole);
  const failed = await run(baseline.id);
  const before = (await experiment())?.taskSet;
  for (const { id } of await of.listTests(failed?.runId ?? "")) await of.fail(id);
  const second = await run(baseline.id);
  const same = (await experiment())?.taskSet;
  expect(same).toMatchObject({ hash: before?.hash });
  expect(same?.id).not.toBe(before?.id);
  for (const { id } of await of.listTests(second?.runId ?? "")) await of.fail(id);
  harness.plans.set(taskIds[0] ?? "", { inputExamples: ["New"] });
  await run(baseline.id);
  expect((await experiment())?.taskSet?.hash).not.toBe(before?.hash);
});

test("a task set is paged; it is not found before the baseline was started or for another tenant", async () => {
  const { run, create, experiments, id, call, taskIds } = await variantHelpers(harness, { tasks: 3 });
  const missing = { code: Code.NotFound, rawMessage: "Task set not found" };
  await expect(experiments.getExperimentTaskSet({ id }, call())).rejects.toMatchObject(missing);
  await run((await create("Baseline", whole)).id);
  const page = await experiments.getExperimentTaskSet({ id, skip: 1n, limit: 1 }, call());
  expect(page).toMatchObject({ data: [{ taskId: taskIds[1] }], pagination: { total: 3n, totalPages: 3n } });
  const foreign = { code: Code.NotFound, rawMessage: "Experiment not found" };
  await expect(experiments.getExperimentTaskSet({ id }, testCall(testTenant()))).rejects.toMatchObject(foreign);
});
