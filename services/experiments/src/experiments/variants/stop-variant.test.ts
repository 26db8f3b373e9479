import { Code } from "@ems/kit/errors";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { VariantStatus } from "@ems/proto/experiments/v1/variant_service";
import { variantPromptsMax } from "@ems/proto/limits";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { variantHelpers } from "../../../test/variants.ts";

const harness = await experimentsHarness();
const conflict = { code: Code.FailedPrecondition };

/** Starts a baseline of 40 tests; returns the prompts that it has requested so far. */
async function runningBaseline() {
  const of = await variantHelpers(harness);
  const baseline = await of.create("Baseline", { reply: { model: "m" } });
  const { runId = "" } = (await of.run(baseline.id, 20)) ?? {};
  const requested = async () => {
    const events = await of.of.events("prompt.requested", baseline.id);
    return events.map(({ testId }) => testId as string);
  };
  return { ...of, baseline, runId, requested };
}

test("a run requests a few prompts at a time and the next one when a prompt ends", async () => {
  const { of, runId, requested } = await runningBaseline();
  const first = await requested();
  expect(first).toHaveLength(variantPromptsMax);
  const tests = await of.listTests(runId);
  expect(tests.filter(({ waitingFor }) => waitingFor === "queue")).toHaveLength(40 - variantPromptsMax);
  await of.accept(first[0] ?? "", '{"output": "a"}');
  await of.accept(first[1] ?? "");
  await of.fail(first[2] ?? "");
  // The trace arrives before the outcome of the prompt's delivery.
  await of.sendTrace(first[3] ?? "");
  await expect.poll(async () => (await requested()).length).toBe(variantPromptsMax + 4);
  await of.accept(first[3] ?? "");
  const rest = await requested();
  expect(rest).toHaveLength(variantPromptsMax + 4);
  expect(new Set(rest).size).toBe(rest.length);
  for (const id of rest.slice(4)) await of.fail(id);
  for (const id of (await requested()).slice(rest.length)) await of.fail(id);
  expect(new Set(await requested())).toEqual(new Set(tests.map(({ id }) => id)));
});

test("a stopped run sends no further prompts, finishes the requested ones, and sends the rest when resumed", async () => {
  const { of, runId, requested, variants, id, call, baseline, read } = await runningBaseline();
  const key = { id, variantId: baseline.id };
  for (const _ of [1, 2])
    expect((await variants.stopVariant(key, call())).data).toMatchObject({
      status: VariantStatus.RUNNING,
      stopped: true,
      progress: { completed: 0n, total: 40n },
    });
  const underWay = await requested();
  for (const testId of underWay) await of.accept(testId, '{"output": "a"}');
  const evaluations = of.listEvaluations(await of.claim(underWay.length));
  await of.record(
    evaluations.map(({ id: evaluationId }) => ({
      id: evaluationId,
      status: EvaluationStatus.COMPLETED,
      passed: true,
      score: 1,
    })),
  );
  expect(await requested()).toEqual(underWay);
  expect(await read(baseline.id)).toMatchObject({
    status: VariantStatus.RUNNING,
    stopped: true,
    progress: { completed: BigInt(variantPromptsMax), total: 40n },
  });
  for (const _ of [1, 2]) expect((await variants.resumeVariant(key, call())).data).toMatchObject({ stopped: false });
  expect(await requested()).toHaveLength(40);
  const open = (await of.listTests(runId)).filter(({ status }) => status !== ResultStatus.COMPLETED);
  for (const { id: testId } of open) await of.fail(testId);
  expect(await read(baseline.id)).toMatchObject({ status: VariantStatus.COMPLETED, progress: { completed: 40n } });
  for (const refused of [() => variants.stopVariant(key, call()), () => variants.resumeVariant(key, call())])
    await expect(refused()).rejects.toMatchObject(conflict);
});

test("rejecting a variant ends its unsent tests, and its experiment continues without it", async () => {
  const { run, create, finish, of, variants, id, call, experiment, read } = await variantHelpers(harness);
  const baseline = await create("Baseline", { reply: { model: "m" } });
  await finish((await run(baseline.id))?.runId ?? "");
  const variant = await create("Other", { reply: { model: "n" } });
  const { runId = "" } = (await run(variant.id, 20)) ?? {};
  const key = { id, variantId: variant.id };
  await variants.stopVariant(key, call());
  await expect(variants.rejectVariant({ id, variantId: baseline.id }, call())).rejects.toMatchObject(conflict);
  for (const _ of [1, 2])
    expect((await variants.rejectVariant(key, call())).data).toMatchObject({
      status: VariantStatus.REJECTED,
      stopped: false,
    });
  const tests = await of.listTests(runId);
  const failed = tests.filter(({ message }) => message === "variant_rejected: The variant was rejected");
  expect(failed).toHaveLength(40 - variantPromptsMax);
  expect((await experiment())?.status).toBe(ExperimentStatus.COMPLETED);
  for (const test of tests) if (test.status !== ResultStatus.FAILED) await of.fail(test.id);
  expect(await of.readRun(runId)).toMatchObject({ status: ResultStatus.FAILED });
  expect(await read(variant.id)).toMatchObject({ status: VariantStatus.REJECTED, progress: { completed: 40n } });
  await expect(run(variant.id)).rejects.toMatchObject(conflict);

  const last = await create("Last", { reply: { model: "o" } });
  expect((await experiment())?.status).toBe(ExperimentStatus.RUNNING);
  const update = { id, variantId: last.id, status: VariantStatus.REJECTED, title: "Least" };
  expect((await variants.updateVariant(update, call())).data).toMatchObject({
    status: VariantStatus.REJECTED,
    title: "Least",
  });
  expect((await experiment())?.status).toBe(ExperimentStatus.COMPLETED);
});

test("promoting a variant marks it as the experiment's choice and publishes one event", async () => {
  const { run, create, finish, of, variants, id, call, experiment } = await variantHelpers(harness);
  const baseline = await create("Baseline", { reply: { model: "m" } });
  const promote = (variantId: string) => variants.promoteVariant({ id, variantId }, call());
  await expect(promote(baseline.id)).rejects.toMatchObject(conflict);
  await finish((await run(baseline.id))?.runId ?? "");
  const variant = await create("Other", { reply: { model: "n" } });
  await finish((await run(variant.id))?.runId ?? "");
  expect((await experiment())?.promotedVariantId).toBeUndefined();
  for (const _ of [1, 2]) expect((await promote(variant.id)).data).toMatchObject({ id: variant.id });
  expect((await experiment())?.promotedVariantId).toBe(variant.id);
  expect(await of.events("experiment_variant.promoted", variant.id)).toMatchObject([
    { config: { reply: { model: "n" } }, status: "COMPLETED", result: { passRate: 1 } },
  ]);
  await expect(variants.rejectVariant({ id, variantId: variant.id }, call())).rejects.toMatchObject(conflict);
  await promote(baseline.id);
  expect((await experiment())?.promotedVariantId).toBe(baseline.id);
  await variants.rejectVariant({ id, variantId: variant.id }, call());
  await expect(promote(variant.id)).rejects.toMatchObject(conflict);
});
