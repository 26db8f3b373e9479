// An experiment with one inference step, for tests of its variants.

import type { JsonObject } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { EvalDefinitionType } from "@ems/proto/catalog/v1/eval_definition";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { InferenceStepService, InferenceStepType } from "@ems/proto/experiments/v1/inference_step_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import { executions, passedOutcome } from "./executions.ts";
import type { experimentsHarness } from "./harness.ts";

export async function variantHelpers(harness: Awaited<ReturnType<typeof experimentsHarness>>, { tasks = 2 } = {}) {
  const of = executions(harness);
  const { call, tenant } = of;
  const [experiments, variants, steps] = [
    harness.client(ExperimentService),
    harness.client(VariantService),
    harness.client(InferenceStepService),
  ];
  const step = async (externalId: string) => {
    const request = { title: externalId, type: InferenceStepType.LLM, externalId };
    return (await steps.createInferenceStep(request, call())).data?.id ?? "";
  };
  const taskIds = Array.from({ length: tasks }, newId);
  for (const taskId of taskIds)
    harness.plans.set(taskId, { definitions: [{ id: newId(), type: EvalDefinitionType.FACT }] });
  const inferenceStepIds = [await step("reply"), await step("find")];
  const { data } = await experiments.createExperiment({ title: "Models", inferenceStepIds, taskIds }, call());
  const id = data?.id ?? "";

  const create = async (title: string, configPatch: JsonObject, parentId?: string) => {
    const request = { id, title, configPatch, ...(parentId !== undefined && { parentId }) };
    const { data: created } = await variants.createVariant(request, call());
    if (created === undefined) throw new Error("no variant");
    return created;
  };
  const read = async (variantId: string) => (await variants.getVariant({ id, variantId }, call())).data;
  const experiment = async () => (await experiments.getExperiment({ id }, call())).data;
  const run = async (variantId: string, repeat?: number) => {
    const request = { id, variantId, ...(repeat !== undefined && { repeat }) };
    return (await variants.runVariant(request, call())).data;
  };
  /** Answers and judges all tests of a variant's run; `passes` decides for each test whether it passes. */
  const finish = async (runId: string, passes: (at: number) => boolean = () => true) => {
    const tests = await of.listTests(runId);
    for (const { id: testId } of tests) await of.accept(testId, '{"output": "Good morning"}');
    const evaluations = of.listEvaluations(await of.claim(tests.length));
    await of.record(evaluations.map((evaluation, at) => ({ ...passedOutcome, id: evaluation.id, passed: passes(at) })));
  };
  return {
    of,
    tenant,
    call,
    experiments,
    variants,
    id,
    taskIds,
    inferenceStepIds,
    step,
    create,
    read,
    experiment,
    run,
    finish,
  };
}
