import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import { VariantOrder, VariantStatus } from "@ems/proto/experiments/v1/variant_service";
import { experimentVariantsMax } from "@ems/proto/limits";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { variantHelpers } from "../../../test/variants.ts";

const harness = await experimentsHarness();
const whole = { reply: { model: "m", temperature: 1 }, find: { top: 3 } };

test("the first variant is the baseline; others branch from it, or from one another", async () => {
  const { create, experiment, of, read } = await variantHelpers(harness);
  expect((await experiment())?.status).toBe(ExperimentStatus.DRAFT);
  const baseline = await create("Baseline", whole);
  expect(baseline).toMatchObject({ status: VariantStatus.DRAFT, configPatch: whole, config: whole });
  expect([baseline.parentId, baseline.progress, baseline.result]).toEqual([
    undefined,
    expect.objectContaining({ completed: 0n, total: 0n }),
    undefined,
  ]);
  expect((await experiment())?.status).toBe(ExperimentStatus.BASELINE_PENDING);
  const colder = await create("Colder", { reply: { temperature: 0 } });
  expect(colder).toMatchObject({
    parentId: baseline.id,
    configPatch: { reply: { temperature: 0 } },
    config: { reply: { model: "m", temperature: 0 }, find: { top: 3 } },
  });
  const wider = await create("Wider", { find: { top: 9 } }, colder.id.toUpperCase());
  expect(wider).toMatchObject({
    parentId: colder.id,
    config: { reply: { model: "m", temperature: 0 }, find: { top: 9 } },
  });
  expect(await read(wider.id)).toEqual(wider);
  expect(await of.events("experiment_variant.created", wider.id)).toMatchObject([{ title: "Wider", status: "DRAFT" }]);
});

test("an invalid patch is refused with the path of each error and creates nothing", async () => {
  const { create, variants, id, call } = await variantHelpers(harness);
  await expect(create("Baseline", { other: { a: 1 } })).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(create("Baseline", { reply: 1 })).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect((await variants.listVariants({ id }, call())).data).toEqual([]);
  const baseline = await create("Baseline", whole);
  await expect(create("Two", { reply: { model: "n", temperature: 0 } })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  await expect(create("Too large", { reply: { prompt: "x".repeat(128 * 1024) } })).rejects.toMatchObject({
    code: Code.ResourceExhausted,
  });
  await expect(create("None's", { reply: { model: "n" } }, newId())).rejects.toThrow("Experiment variant not found");
  const theirs = await (await variantHelpers(harness)).create("Other", {});
  await expect(create("Theirs", { reply: { model: "n" } }, theirs.id)).rejects.toThrow("Experiment variant not found");
  expect((await variants.listVariants({ id }, call())).data).toEqual([baseline]);
});

test("a new patch changes all branches until one of them is started", async () => {
  const { create, read, run, finish, variants, id, call } = await variantHelpers(harness);
  const baseline = await create("Baseline", whole);
  const colder = await create("Colder", { reply: { temperature: 0 } });
  const wider = await create("Wider", { find: { top: 9 } }, colder.id);
  const update = (variantId: string, change: object) => variants.updateVariant({ id, variantId, ...change }, call());

  const renamed = await update(colder.id, { title: "Cold", description: "Less chance" });
  expect(renamed.data).toMatchObject({ title: "Cold", description: "Less chance", config: colder.config });
  await update(baseline.id, { configPatch: { reply: { model: "n" } } });
  await update(colder.id, { configPatch: { reply: { seed: 7 } } });
  expect((await read(wider.id))?.config).toEqual({ reply: { model: "n", seed: 7 }, find: { top: 9 } });
  await expect(update(colder.id, { configPatch: { reply: { seed: 7, model: "o" } } })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });

  await finish((await run(baseline.id))?.runId ?? "");
  const locked = { code: Code.FailedPrecondition };
  await expect(update(baseline.id, { configPatch: {} })).rejects.toMatchObject(locked);
  await update(wider.id, { configPatch: { find: { top: 10 } } });
  await run(wider.id);
  for (const variantId of [wider.id, colder.id])
    await expect(update(variantId, { configPatch: { find: { top: 1 } } })).rejects.toMatchObject(locked);
  expect((await update(wider.id, { title: "Widest" })).data?.progress).toMatchObject({ completed: 0n, total: 2n });
  expect((await read(wider.id))?.config).toEqual({ reply: { model: "n", seed: 7 }, find: { top: 10 } });
  for (const status of [VariantStatus.DRAFT, VariantStatus.COMPLETED])
    await expect(update(wider.id, { status })).rejects.toMatchObject(locked);
  await update(wider.id, { status: VariantStatus.RUNNING });
  await expect(update(wider.id, {})).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test("tasks and inference steps change until the baseline is started", async () => {
  const { create, run, step, experiments, id, call, inferenceStepIds, taskIds } = await variantHelpers(harness);
  const update = async (change: object) => (await experiments.updateExperiment({ id, ...change }, call())).data;
  const baseline = await create("Baseline", { reply: { model: "m" } });
  const [reply = "", find = ""] = inferenceStepIds;
  expect((await update({ inferenceStepIds: { values: [reply, reply] } }))?.inferenceStepIds).toEqual([reply]);
  await expect(update({ inferenceStepIds: { values: [find] } })).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(update({ inferenceStepIds: { values: [newId()] } })).rejects.toThrow("Inference step not found");
  expect((await update({ inferenceStepIds: { values: [await step("rank"), reply] } }))?.inferenceStepIds.length).toBe(
    2,
  );
  const missing = newId();
  harness.missing.add(missing);
  await expect(update({ taskIds: { values: [missing] } })).rejects.toThrow("Task not found");
  expect((await update({ taskIds: {} }))?.taskIds).toEqual([]);
  await expect(run(baseline.id)).rejects.toThrow("The experiment has no tasks");
  expect((await update({ taskIds: { values: taskIds } }))?.taskIds).toEqual(taskIds);

  await run(baseline.id);
  const locked = { code: Code.FailedPrecondition };
  await expect(update({ taskIds: { values: [] } })).rejects.toMatchObject(locked);
  await expect(update({ inferenceStepIds: { values: [reply] } })).rejects.toMatchObject(locked);
  expect((await update({ taskIds: { values: taskIds }, title: "New" }))?.title).toBe("New");
});

test("an experiment with variants can only be archived by hand", async () => {
  const { create, run, experiments, id, call } = await variantHelpers(harness);
  const baseline = await create("Baseline", {});
  const become = (status: ExperimentStatus) => experiments.updateExperiment({ id, status }, call());
  const refused = { code: Code.FailedPrecondition };
  await expect(become(ExperimentStatus.COMPLETED)).rejects.toMatchObject(refused);
  await become(ExperimentStatus.BASELINE_PENDING);
  await become(ExperimentStatus.ARCHIVED);
  await expect(create("Late", { reply: { model: "m" } })).rejects.toMatchObject(refused);
  await expect(run(baseline.id)).rejects.toMatchObject(refused);
});

test("variants are paged, filtered by status, and listed only for their experiment", async () => {
  const { create, variants, id, call } = await variantHelpers(harness);
  for (const title of ["b", "a", "c"]) {
    await create(title, title === "b" ? whole : { find: { top: 1 } });
    harness.clock.advance(1_000);
  }
  const titles = async (request: object) =>
    (await variants.listVariants({ id, ...request }, call())).data.map(({ title }) => title);
  expect(await titles({})).toEqual(["c", "a", "b"]);
  expect(await titles({ orderBy: VariantOrder.TITLE, orderDir: OrderDirection.ASC, limit: 2 })).toEqual(["a", "b"]);
  expect(await titles({ status: [VariantStatus.DRAFT], skip: 2n })).toEqual(["b"]);
  expect(await titles({ status: [VariantStatus.RUNNING] })).toEqual([]);
  const [variant] = (await variants.listVariants({ id }, call())).data;
  const key = { id, variantId: variant?.id ?? "" };
  const theirs = testCall(testTenant());
  for (const refused of [
    () => variants.listVariants({ id }, theirs),
    () => variants.getVariant(key, theirs),
    () => variants.updateVariant({ ...key, title: "x" }, theirs),
    () => variants.runVariant(key, theirs),
    () => variants.createVariant({ id, title: "x", configPatch: {} }, theirs),
  ]) {
    await expect(refused()).rejects.toThrow("Experiment not found");
  }
  const other = await variantHelpers(harness);
  await expect(other.read(key.variantId)).rejects.toThrow("Experiment variant not found");
  expect((await variants.getVariant(key, call())).data).toEqual(variant);
});

// Copies all columns except id and title from the baseline, so that only the last variants are created by RPC.
const fill = `INSERT INTO experiments.experiment_variant (application_id, id, org_id, experiment_id, parent_id, title, description,
    status, config_patch, config, created_at, modified_at)
  SELECT application_id, uuidv7(), org_id, experiment_id, id, 'Top ' || n, description, status, config_patch, config, created_at, modified_at
  FROM experiments.experiment_variant, generate_series(1, $2::int) n WHERE id = $1`;

test(`an experiment has at most ${experimentVariantsMax} variants under concurrent requests`, async () => {
  const { create, variants, id, call } = await variantHelpers(harness);
  const baseline = await create("Baseline", whole);
  await harness.database.sql(fill, [baseline.id, experimentVariantsMax - 3]);
  const many = Array.from({ length: 4 }, (_, top) => create(`More ${top}`, { find: { top } }));
  const outcomes = await Promise.allSettled(many);
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.rawMessage] : []));
  expect(refused).toEqual(Array(2).fill(`An experiment has at most ${experimentVariantsMax} variants`));
  expect((await variants.listVariants({ id }, call())).pagination?.total).toBe(BigInt(experimentVariantsMax));
});
