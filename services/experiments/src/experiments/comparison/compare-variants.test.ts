import { Database } from "@ems/kit/db/database";
import { newId } from "@ems/kit/id";
import { ComparisonVerdict } from "@ems/proto/experiments/v1/comparison";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { variantHelpers } from "../../../test/variants.ts";

const harness = await experimentsHarness();

test("variants are compared by their last runs, with the baseline by default", async () => {
  const { create, run, finish, of, variants, id, call } = await variantHelpers(harness, { tasks: 20 });
  const compare = async (variant: string, baseline?: string) => {
    const request = { id, variant, ...(baseline !== undefined && { baseline }) };
    return (await variants.compareVariants(request, call())).data;
  };
  const baseline = await create("Baseline", { reply: { model: "m" } });
  // All tests of the first run failed, so none of its results count.
  const { runId: failed = "" } = (await run(baseline.id)) ?? {};
  for (const test of await of.listTests(failed)) await of.fail(test.id);
  await finish((await run(baseline.id))?.runId ?? "", () => false);
  const better = await create("Better", { reply: { model: "n" } });
  expect(await compare(better.id)).toMatchObject({
    baseline: { tests: 20n, passed: 0n, errored: 0n },
    variant: { tests: 0n, uncounted: 0n },
    difference: { verdict: ComparisonVerdict.TOO_FEW_TASKS, commonTasks: 0n },
  });
  await finish((await run(better.id))?.runId ?? "", (at) => at > 1);

  const readAll = vi.spyOn(Database.prototype, "readAll");
  const found = await compare(better.id.toUpperCase());
  expect(readAll.mock.calls.map(([, statements]) => statements.length)).toEqual([2, 4]);
  readAll.mockRestore();
  expect(found).toMatchObject({
    baseline: { tests: 20n, passed: 0n },
    variant: { tests: 20n, passed: 18n },
    difference: { verdict: ComparisonVerdict.BETTER, commonTasks: 20n, passRate: { value: 0.9 } },
  });
  expect(found?.changedTasks).toHaveLength(18);
  expect(await compare(baseline.id, better.id)).toMatchObject({
    difference: { verdict: ComparisonVerdict.WORSE, passRate: { value: -0.9 } },
  });
  expect(await compare(better.id, better.id)).toMatchObject({
    difference: { verdict: ComparisonVerdict.NO_EVIDENCE, passRate: { value: 0 } },
  });
});

test("variants of another experiment or tenant, and unknown ones, are not found", async () => {
  const [ours, other] = [await variantHelpers(harness), await variantHelpers(harness)];
  const { id, variants, call, create } = ours;
  await expect(variants.compareVariants({ id, variant: newId() }, call())).rejects.toThrow(
    "Experiment variant not found",
  );
  const baseline = await create("Baseline", {});
  const theirs = await other.create("Baseline", {});
  for (const request of [{ variant: theirs.id }, { variant: baseline.id, baseline: newId() }])
    await expect(variants.compareVariants({ id, ...request }, call())).rejects.toThrow("Experiment variant not found");
  const request = { id, variant: baseline.id };
  await expect(variants.compareVariants(request, testCall(testTenant()))).rejects.toThrow("Experiment not found");
});
