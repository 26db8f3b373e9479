import { Code } from "@connectrpc/connect";
import { newId } from "@ems/kit/id";
import { toValue } from "@ems/kit/json/free-value";
import { RunOrder, RunService } from "@ems/proto/experiments/v1/run_service";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { OrderDirection } from "@ems/proto/type/v1/order";
import { testCall, testTenant } from "@ems/test-support";
import { beforeEach, expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const [runs, tests] = [harness.client(RunService), harness.client(TestService)];
let tenant = testTenant();
beforeEach(() => {
  tenant = testTenant();
});
const call = () => testCall(tenant);
const trigger = async (labels: { name?: string; version?: string; commit?: string; notes?: string } = {}) => {
  const { runId } = await runs.triggerTasks({ taskIds: [newId()], ...labels }, call());
  const { run } = await runs.getRun({ id: runId }, call());
  if (run === undefined) throw new Error("no run");
  return run;
};

test("runs that start at the same time have different names, with and without one of their own", async () => {
  const named = await Promise.all(Array.from({ length: 6 }, () => trigger({ name: "Nightly" })));
  const unnamed = await Promise.all(Array.from({ length: 6 }, () => trigger()));
  const { run: recorded } = await tests.recordResults(
    { run: { title: "Nightly" }, tests: [{ taskId: newId() }] },
    call(),
  );
  const names = [...named, ...unnamed, ...(recorded ? [recorded] : [])].map(({ name }) => name);
  expect(new Set(names).size).toBe(13);
  expect(names.filter((name) => name === "Nightly")).toHaveLength(1);
  for (const { name, title } of named) expect([name.startsWith("Nightly"), title]).toEqual([true, "Nightly"]);
  for (const { name, title } of unnamed) {
    expect(name).toMatch(/^Manual run \d{4}-\d\d-\d\d \d\d:\d\d:\d\d( \(\d+\))?$/);
    expect(title).toBeUndefined();
  }
  // Another application may use the same names.
  tenant = testTenant();
  expect((await trigger({ name: "Nightly" })).name).toBe("Nightly");
});

test("a run keeps version, commit and notes, is found by name and version, and is changed", async () => {
  const labels = { name: "Refunds 100%", version: "v1.2", commit: "1f".repeat(20), notes: "New prompt" };
  const run = await trigger(labels);
  expect(run).toMatchObject({ ...labels, title: labels.name });
  const other = await trigger({ name: "Fees", version: "v2" });
  const find = async (filter: object) => (await runs.listRuns(filter, call())).data.map(({ id }) => id);
  expect(await find({ search: "REFUNDS" })).toEqual([run.id]);
  expect(await find({ search: "0%" })).toEqual([run.id]);
  expect(await find({ search: "_" })).toEqual([]);
  expect(await find({ version: ["v1.2", "v3"] })).toEqual([run.id]);
  expect(await find({ version: ["v2"], search: "refunds" })).toEqual([]);
  expect(await find({ orderBy: RunOrder.NAME, orderDir: OrderDirection.ASC })).toEqual([other.id, run.id]);

  const { run: changed } = await runs.updateRun(
    { id: run.id, name: "Refunds", version: toValue(null), notes: toValue("Better") },
    call(),
  );
  const { run: read } = await runs.getRun({ id: run.id }, call());
  expect(read).toEqual(changed);
  expect(read).toMatchObject({ name: "Refunds", title: "Refunds", commit: labels.commit, notes: "Better" });
  expect(read?.version).toBeUndefined();
  expect(read?.progress).toEqual(run.progress);
  await expect(runs.updateRun({ id: run.id, name: "Fees" }, call())).rejects.toMatchObject({
    code: Code.AlreadyExists,
    rawMessage: "Another run has this name",
  });
  await expect(runs.updateRun({ id: newId(), name: "Fees" }, call())).rejects.toThrow("Run not found");
  tenant = testTenant();
  await expect(runs.updateRun({ id: run.id, name: "Ours" }, call())).rejects.toThrow("Run not found");
});
