// Rollups always equal counts of all rows, and totals of lists equal the number of listed rows.

import { readFile } from "node:fs/promises";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { newId } from "@ems/kit/id";
import type { RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import fc from "fast-check";
import { expect, test } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";
import { expectExactSums } from "../../../test/sums.ts";
import { wholeDays } from "./total.ts";

const harness = await experimentsHarness();
const tests = harness.client(TestService);

const [topicId, taskIds, definitionIds] = [newId(), [newId(), newId(), newId()], [newId(), newId()]];
for (const taskId of taskIds.slice(1)) harness.topicByTask.set(taskId, topicId);
const runs: string[] = [];

const dayMs = 86_400_000;
const nowMs = harness.clock.now().getTime();
const time = fc
  // Times around midnight, where days begin and end.
  .tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(-1, 0, 1, 3_600_000))
  .map(([days, ms]) => timestampFromDate(new Date(Math.floor(nowMs / dayMs) * dayMs - days * dayMs + ms)));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const outcome = {
  status: fc.constantFrom(1, 2, 3, 4),
  score: optional(fc.constantFrom(0, 0.1, 0.333333, 1, -1e9, 1e9)),
  passed: optional(fc.boolean()),
};
const evaluation = fc.record({
  definitionId: fc.constantFrom(...definitionIds),
  ...outcome,
  score: optional(fc.constantFrom(0, 0.1, 0.333333, 1)),
  status: fc.constantFrom(1, 2, 3, 4, 5),
});
const result = fc.record({
  taskId: fc.constantFrom(...taskIds),
  durationMs: optional(fc.constantFrom(0, 2_147_483_647)),
  createdAt: time,
  evaluations: fc.array(evaluation, { maxLength: 4 }),
  ...outcome,
});
const results = fc.array(fc.array(result, { minLength: 1, maxLength: 25 }), { minLength: 6, maxLength: 12 });
const seed = 20_260_115;

test("rollups equal the rows' aggregates under concurrent and repeated requests", async () => {
  const tenant = testTenant();
  const [batches = []] = fc.sample(results, { numRuns: 1, seed });
  await Promise.all(
    batches.map(async (batch, at) => {
      const clean = batch.map(withoutUndefined);
      const { run } = await tests.recordResults(
        { run: { type: (1 + (at % 4)) as RunType }, tests: clean },
        testCall(tenant),
      );
      runs.push(run?.id ?? "");
      await tests.recordResults({ runId: run?.id ?? "", tests: clean }, testCall(tenant));
    }),
  );
  expect(Math.min(...(await expectExactSums(harness.database, tenant.applicationId)))).toBeGreaterThan(0);

  // Each total must equal the number of rows on all pages of the list.
  const filter = fc.record({
    taskId: fc.subarray(taskIds),
    runType: fc.subarray<1 | 2 | 3 | 4>([1, 2, 3, 4]),
    status: fc.subarray<1 | 2 | 3 | 4>([1, 2, 3, 4]),
    evalDefinitionId: fc.oneof(fc.constant([]), fc.subarray(definitionIds)),
    runId: fc.oneof(fc.constant([]), fc.subarray(runs)),
    topicId: fc.constantFrom<string[]>([], [topicId]),
    startDate: optional(time),
    endDate: optional(time),
  });
  const rollupFilter = fc.record({
    runType: fc.subarray<1 | 2 | 3 | 4>([1, 2, 3, 4]),
    status: fc.subarray<1 | 2 | 3 | 4>([1, 2, 3, 4]),
    topicId: fc.constantFrom<string[]>([], [topicId]),
    startDate: optional(time),
    endDate: optional(time),
  });
  for (const sample of [
    ...fc.sample(filter, { numRuns: 60, seed }),
    ...fc.sample(rollupFilter, { numRuns: 60, seed }),
  ]) {
    const request = withoutUndefined(sample);
    let [listed, total] = [0, -1];
    for (let skip = 0n; ; skip += 100n) {
      const page = await tests.listTests({ ...request, skip, limit: 100 }, testCall(tenant));
      listed += page.data.length;
      total = Number(page.pagination?.total);
      if (page.data.length < 100) break;
    }
    expect({ seed, request, total }).toEqual({ seed, request, total: listed });
  }
});

test("the migration sums the stored tests by type of run", async () => {
  const tenant = testTenant();
  const [sample = []] = fc.sample(fc.array(result, { minLength: 25, maxLength: 25 }), { numRuns: 1, seed });
  for (const type of [1, 2, 3, 4] satisfies RunType[]) {
    await tests.recordResults({ run: { type }, tests: sample.map(withoutUndefined) }, testCall(tenant));
  }
  const migration = await readFile(new URL("../../migrations/sum-run-types.sql", import.meta.url), "utf8");
  const [fill = ""] = /^INSERT INTO [^;]+/m.exec(migration) ?? [];
  await harness.database.sql("DELETE FROM experiments.task_run_type");
  await harness.database.sql(fill);
  expect(Math.min(...(await expectExactSums(harness.database, tenant.applicationId)))).toBeGreaterThan(0);
});

test.each([
  ["2026-01-01T00:00:00.000Z", "2026-01-03T00:00:00.000Z", "2026-01-01/2026-01-03", ""],
  ["2026-01-01T00:00:00.001Z", "2026-01-03T12:00:00.000Z", "2026-01-02/2026-01-03", "head tail"],
  ["2026-01-01T10:00:00.000Z", "2026-01-01T11:00:00.000Z", "", "all"],
  ["2026-01-01T10:00:00.000Z", "2026-01-02T11:00:00.000Z", "", "all"],
  ["2026-01-03T00:00:00.000Z", "2026-01-01T00:00:00.000Z", "", ""],
])("from %s until %s: whole days %s, edges %s", (from, until, whole, edges) => {
  const days = wholeDays(new Date(from), new Date(until));
  const formatDay = (date: Date | undefined) => date?.toISOString().slice(0, 10);
  expect(days.whole === undefined ? "" : `${formatDay(days.whole.from)}/${formatDay(days.whole.until)}`).toBe(whole);
  const names = days.edges.map(({ from: first, until: last }) =>
    first?.toISOString() === from ? (last?.toISOString() === until ? "all" : "head") : "tail",
  );
  expect(names.join(" ")).toBe(edges);
});

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  const deep = entries.map(([name, field]) => [name, Array.isArray(field) ? field.map(clean) : field]);
  // Safe cast: the remaining fields keep their types, except for undefined.
  return Object.fromEntries(deep) as { [K in keyof T]: Exclude<T[K], undefined> };
}

function clean(item: unknown): unknown {
  return typeof item === "object" && item !== null ? withoutUndefined(item) : item;
}
