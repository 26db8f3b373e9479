// Creates an experiment whose variants ran on the same tasks: one is better than the baseline, one worse, one similar.

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ExperimentService } from "@ems/proto/experiments/v1/experiment_service";
import { InferenceStepService } from "@ems/proto/experiments/v1/inference_step_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { VariantService } from "@ems/proto/experiments/v1/variant_service";
import * as bank from "./bank.ts";
import type { Catalog, SeedTask } from "./catalog.ts";
import { type Plan, weeks } from "./plan.ts";
import { seededRandom } from "./random.ts";
import { newTest } from "./results.ts";
import { buildTrace, storeTraces } from "./traces.ts";

const dayMs = 86_400_000;
const tasksMax = 60;

/** Creates the experiment and its variants, with runs in the last week. */
export async function fillVariants(plan: Plan, catalog: Catalog): Promise<void> {
  const { caller } = plan;
  const { experiment, baseline, variants, next } = bank.settings;
  const dayAt = (day: number) => plan.until.getTime() - (6 - day) * dayMs;
  plan.goTo(new Date(dayAt(0)));
  const steps = await caller.client(InferenceStepService).listInferenceSteps({}, caller.options);
  const tasks = catalog.tasks.filter(({ createdAt }) => createdAt.getTime() < dayAt(0)).slice(0, tasksMax);
  const about = { taskIds: tasks.map(({ id }) => id), inferenceStepIds: steps.data.map(({ id }) => id) };
  const experiments = caller.client(ExperimentService);
  const { data } = await experiments.createExperiment({ ...experiment, ...about }, caller.options);
  const id = data?.id ?? "";

  const client = caller.client(VariantService);
  const create = async (title: string, description: string, configPatch: object, parentId?: string) => {
    const parent = parentId === undefined ? {} : { parentId };
    const request = { id, title, description, configPatch: { ...configPatch }, ...parent };
    return (await client.createVariant(request, caller.options)).data?.id ?? "";
  };
  const first = await create(baseline.title, "", baseline.config);
  await fillRun(plan, catalog, tasks, { ...baseline, id: first, startMs: dayAt(1) });
  const started: string[] = [];
  for (const [at, { title, description, patch, lift }] of variants.entries()) {
    const variantId = await create(title, description, patch);
    await fillRun(plan, catalog, tasks, { id: variantId, title, lift, startMs: dayAt(2 + at) });
    started.push(variantId);
  }
  await client.promoteVariant({ id, variantId: started[0] ?? "" }, caller.options);
  await create(next.title, next.description, next.patch, started[0]);
}

interface VariantRun {
  readonly id: string;
  readonly title: string;
  readonly startMs: number;
  readonly lift: number;
}

/** Records a completed run of a variant. */
async function fillRun(plan: Plan, catalog: Catalog, tasks: readonly SeedTask[], variant: VariantRun): Promise<void> {
  const run = {
    type: RunType.EXPERIMENT,
    title: `${bank.settings.experiment.title}: ${variant.title}`,
    tests: tasks.length,
  };
  const made = tasks.map((task, at) =>
    newTest(seededRandom(`${variant.title} ${task.topicNumber} ${task.number}`), catalog, {
      run: { ...run, startMs: variant.startMs, lift: variant.lift },
      week: weeks - 1,
      task,
      at,
    }),
  );
  plan.goTo(new Date(variant.startMs + dayMs / 2));
  const results = plan.caller.client(TestService);
  const recorded = { type: run.type, title: run.title, experimentVariantId: variant.id };
  const tests = made.map(({ test }) => test);
  const { testIds } = await results.recordResults({ run: recorded, tests }, plan.caller.options);
  const traces = made.flatMap(({ test, task: { topic, question }, answer }, at) => {
    const testId = testIds[at];
    if (answer === undefined || testId === undefined) return [];
    return [
      buildTrace(plan, { topic, question, answer: answer.text, startedAt: timestampDate(test.createdAt), testId }),
    ];
  });
  await storeTraces(plan, traces);
}
