import { Code } from "@ems/kit/errors";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { EvaluationService } from "@ems/proto/experiments/v1/evaluation_service";
import { ExecutionService } from "@ems/proto/experiments/v1/execution_service";
import { ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { RunType } from "@ems/proto/experiments/v1/run";
import { VariantStatus } from "@ems/proto/experiments/v1/variant_service";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { variantHelpers } from "../../../test/variants.ts";

const harness = await experimentsHarness();
const whole = { reply: { model: "m", temperature: 1 }, find: { top: 3 } };

test("a run tests the experiment's tasks, and its prompts contain the whole configuration", async () => {
  const { create, read, run, of, id, taskIds, experiment, finish } = await variantHelpers(harness);
  const baseline = await create("Baseline", whole);
  const colder = await create("Colder", { reply: { temperature: 0 } });
  await expect(run(colder.id)).rejects.toMatchObject({ code: Code.FailedPrecondition });

  const started = await run(baseline.id, 2);
  expect(started).toMatchObject({ status: VariantStatus.RUNNING, progress: { completed: 0n, total: 4n } });
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_RUNNING);
  const tests = await of.listTests(started?.runId ?? "");
  expect(new Set(tests.map(({ taskId }) => taskId))).toEqual(new Set(taskIds));
  expect(await of.readRun(started?.runId ?? "")).toMatchObject({
    type: RunType.EXPERIMENT,
    experimentVariantId: baseline.id,
    title: "Models: Baseline",
  });
  for (const test of tests) {
    expect(await of.events("prompt.requested", test.id)).toMatchObject([
      { experiment: { experimentId: id, experimentVariantId: baseline.id, overrides: whole } },
    ]);
  }
  await expect(run(baseline.id)).rejects.toThrow("The variant is RUNNING and cannot be started");

  await finish(started?.runId ?? "", (at) => at < 3);
  expect(await read(baseline.id)).toMatchObject({
    status: VariantStatus.COMPLETED,
    progress: { completed: 4n, total: 4n },
    result: { passed: 3n, failed: 1n, total: 4n, passRate: 0.75, evals: [{ total: 2n }, { total: 2n }] },
  });
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_COMPLETED);
  await expect(run(baseline.id)).rejects.toThrow("The variant is COMPLETED and cannot be started");

  const second = await run(colder.id);
  expect((await experiment())?.status).toBe(ExperimentStatus.RUNNING);
  const [test] = await of.listTests(second?.runId ?? "");
  expect(await of.events("prompt.requested", test?.id ?? "")).toMatchObject([
    { experiment: { experimentVariantId: colder.id, overrides: { ...whole, reply: { model: "m", temperature: 0 } } } },
  ]);
  await finish(second?.runId ?? "");
  expect((await read(colder.id))?.status).toBe(VariantStatus.COMPLETED);
  expect((await experiment())?.status).toBe(ExperimentStatus.COMPLETED);
});

test("a baseline whose tests all failed may be changed and started again", async () => {
  const { create, read, run, of, variants, id, call, experiment, finish } = await variantHelpers(harness);
  const baseline = await create("Baseline", whole);
  const first = await run(baseline.id);
  for (const test of await of.listTests(first?.runId ?? "")) await of.fail(test.id);
  expect(await read(baseline.id)).toMatchObject({ status: VariantStatus.FAILED, runId: first?.runId });
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_PENDING);
  await variants.updateVariant({ id, variantId: baseline.id, configPatch: {} }, call());
  const second = await run(baseline.id);
  expect(second).toMatchObject({ status: VariantStatus.RUNNING, progress: { completed: 0n } });
  await finish(second?.runId ?? "");
  expect((await read(baseline.id))?.status).toBe(VariantStatus.COMPLETED);
});

test("variants that end at the same time end their experiment exactly once", async () => {
  const { create, run, of, experiment, read, finish } = await variantHelpers(harness, { tasks: 1 });
  await finish((await run((await create("Baseline", whole)).id))?.runId ?? "");
  const variants = await Promise.all([1, 2, 3, 4].map((top) => create(`Top ${top}`, { find: { top } })));
  const started = await Promise.all(variants.map(({ id }) => run(id)));
  const tests = (await Promise.all(started.map((variant) => of.listTests(variant?.runId ?? "")))).flat();
  await Promise.all(tests.map(({ id }) => of.accept(id, '{"output": "x"}')));
  const evaluations = of.listEvaluations(await of.claim(tests.length));
  await Promise.all(
    evaluations.map(({ id }) => of.record([{ id, status: EvaluationStatus.COMPLETED, passed: true, score: 1 }])),
  );
  for (const { id } of variants) expect((await read(id))?.status).toBe(VariantStatus.COMPLETED);
  expect((await experiment())?.status).toBe(ExperimentStatus.COMPLETED);
});

test("a rerun reopens the variant and its experiment until it has ended", async () => {
  const { create, run, of, experiment, read, finish, call } = await variantHelpers(harness, { tasks: 1 });
  const baseline = await create("Baseline", whole);
  const started = await run(baseline.id);
  await finish(started?.runId ?? "");
  await harness.client(EvaluationService).rerunEvaluations({ runId: started?.runId ?? "" }, call());
  expect((await read(baseline.id))?.status).toBe(VariantStatus.RUNNING);
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_RUNNING);
  const [evaluation] = of.listEvaluations(await of.claim(1));
  await of.record([{ id: evaluation?.id ?? "", status: EvaluationStatus.COMPLETED, passed: true, score: 1 }]);
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_COMPLETED);
});

test("a prompt written by a simulated user also contains the configuration", async () => {
  const { create, variants, of, id, call } = await variantHelpers(harness, { tasks: 1 });
  const baseline = await create("Baseline", whole);
  const { data } = await variants.runVariant({ id, variantId: baseline.id, simulate: true }, call());
  const [test] = await of.listTests(data?.runId ?? "");
  await of.claim(1);
  const prompt = { kind: { case: "stringValue" as const, value: "Hi" } };
  const request = { testId: test?.id ?? "", result: { case: "prompt" as const, value: prompt } };
  await harness.client(ExecutionService).setPrompt(request, call());
  expect(await of.events("prompt.requested", test?.id ?? "")).toMatchObject([
    { prompt: "Hi", experiment: { experimentVariantId: baseline.id, overrides: whole } },
  ]);
});

test("runs that start while others end do not deadlock", async () => {
  const { create, run, of, finish } = await variantHelpers(harness, { tasks: 3 });
  await finish((await run((await create("Baseline", whole)).id))?.runId ?? "");
  const variants = await Promise.all([1, 2, 3, 4, 5, 6].map((top) => create(`Top ${top}`, { find: { top } })));
  // A variant may be started again if all its tests failed.
  const rounds = variants.map(async ({ id }) => {
    for (let round = 0; round < 6; round++) {
      const { runId = "" } = (await run(id)) ?? {};
      await Promise.all((await of.listTests(runId)).map((test) => of.fail(test.id)));
    }
  });
  await Promise.all(rounds);
  const deadlocks = "SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()";
  expect(await harness.database.sql(deadlocks)).toEqual([{ deadlocks: 0 }]);
});
