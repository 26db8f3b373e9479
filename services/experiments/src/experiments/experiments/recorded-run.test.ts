import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { VariantStatus } from "@ems/proto/experiments/v1/variant_service";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { variantHelpers } from "../../../test/variants.ts";

const harness = await experimentsHarness();
const results = harness.client(TestService);
const config = { reply: { model: "m" } };

test("results recorded for a variant become its run, follow the experiment's order, and are compared", async () => {
  const { create, read, experiment, taskIds, call, id, variants } = await variantHelpers(harness, { tasks: 12 });
  const baseline = await create("Baseline", config);
  const colder = await create("Colder", { reply: { temperature: 0 } });
  const record = (experimentVariantId: string, passed: boolean) => {
    const tests = taskIds.map((taskId) => ({ taskId, passed }));
    return results.recordResults({ run: { experimentVariantId }, tests }, call());
  };
  await expect(record(colder.id, true)).rejects.toMatchObject({
    code: Code.FailedPrecondition,
    rawMessage: expect.stringContaining("The baseline is DRAFT"),
  });
  const { run } = await record(baseline.id.toUpperCase(), false);
  expect(run).toMatchObject({ type: RunType.EXPERIMENT, experimentVariantId: baseline.id });
  expect(await read(baseline.id)).toMatchObject({ status: VariantStatus.COMPLETED, runId: run?.id });
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_COMPLETED);
  await expect(record(baseline.id, true)).rejects.toMatchObject({
    rawMessage: expect.stringContaining("The variant is COMPLETED"),
  });
  await record(colder.id, true);
  expect((await experiment())?.status).toBe(ExperimentStatus.COMPLETED);
  const { data } = await variants.compareVariants({ id, variant: colder.id }, call());
  expect(data?.difference).toMatchObject({ commonTasks: 12n, passRate: { value: 1 } });
});

test("results added to a variant's run also change the variant's status", async () => {
  const { create, read, taskIds, call } = await variantHelpers(harness);
  const { id: experimentVariantId } = await create("Baseline", config);
  const [first = "", second = ""] = taskIds;
  const open = { run: { experimentVariantId }, tests: [{ taskId: first, status: ResultStatus.FAILED }] };
  const { run } = await results.recordResults(open, call());
  expect((await read(experimentVariantId))?.status).toBe(VariantStatus.FAILED);
  await results.recordResults({ runId: run?.id ?? "", tests: [{ taskId: second, passed: true }] }, call());
  expect((await read(experimentVariantId))?.status).toBe(VariantStatus.COMPLETED);
});

test("an unknown variant, another run type, and a task outside the experiment are refused", async () => {
  const { create, read, taskIds, call } = await variantHelpers(harness);
  const { id: experimentVariantId } = await create("Baseline", config);
  const [taskId = ""] = taskIds;
  const refused = (request: Parameters<typeof results.recordResults>[0], error: object) =>
    expect(results.recordResults(request, call())).rejects.toMatchObject(error);
  const gone = { code: Code.NotFound, rawMessage: "Experiment variant not found" };
  await refused({ run: { experimentVariantId: newId() }, tests: [{ taskId }] }, gone);
  const manual = { run: { experimentVariantId, type: RunType.MANUAL }, tests: [{ taskId }] };
  await refused(manual, { code: Code.InvalidArgument });
  await refused(
    { run: { experimentVariantId }, tests: [{ taskId }, { taskId: newId() }] },
    { code: Code.InvalidArgument },
  );
  expect(await read(experimentVariantId)).toMatchObject({ status: VariantStatus.DRAFT });
});
