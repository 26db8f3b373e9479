import type { MessageInitShape } from "@bufbuild/protobuf";
import { Database } from "@ems/kit/db/database";
import { Code } from "@ems/kit/errors";
import { newId } from "@ems/kit/id";
import { ComparisonMethod, ComparisonVerdict } from "@ems/proto/experiments/v1/comparison";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { IngestService } from "@ems/proto/experiments/v1/ingest_service";
import { ResultStatus } from "@ems/proto/experiments/v1/run";
import { RunService } from "@ems/proto/experiments/v1/run_service";
import { type NewTestSchema, TestService } from "@ems/proto/experiments/v1/test_service";
import { testCall, testTenant } from "@ems/test-support";
import { expect, test, vi } from "vitest";
import { experimentsHarness } from "../../../test/harness.ts";

const harness = await experimentsHarness();
const tenant = testTenant();
const call = () => testCall(tenant);
const runs = harness.client(RunService);

type NewTest = MessageInitShape<typeof NewTestSchema>;

async function newRun(tests: NewTest[]) {
  const { run, testIds } = await harness.client(TestService).recordResults({ tests }, call());
  return { id: run?.id ?? "", testIds };
}

const compare = async (a: string, b: string, detect?: number) => {
  const { data } = await runs.compareRuns({ a, b, ...(detect !== undefined && { detect }) }, call());
  if (data?.baseline === undefined || data.variant === undefined || data.difference === undefined) {
    throw new Error("The comparison has no sides");
  }
  const { baseline, variant, difference, definitions, changedTasks } = data;
  return { baseline, variant, difference, definitions, changedTasks };
};

const taskIds = Array.from({ length: 40 }, newId);
const [polite, exact] = [newId(), newId()];

/** Builds one test per task; `passes` decides whether the test and its two evaluations pass. */
const tests = (passes: (at: number) => boolean): NewTest[] =>
  taskIds.map((taskId, at) => ({
    taskId,
    passed: passes(at),
    score: passes(at) ? 1 : 0.25,
    evaluations: [
      { definitionId: polite, passed: true, score: 0.9 },
      { definitionId: exact, passed: passes(at), score: passes(at) ? 1 : 0 },
    ],
  }));

test("a comparison reports the difference of each definition and the fixed and regressed tasks", async () => {
  const before = await newRun(tests((at) => at % 2 === 0));
  const after = await newRun(tests((at) => at % 2 === 0 || at < 20));
  const { baseline, variant, difference, definitions, changedTasks } = await compare(before.id, after.id, 0.1);
  expect(baseline).toMatchObject({ tests: 40n, passed: 20n, failed: 20n, errored: 0n, uncounted: 0n });
  expect(baseline.passRate?.value).toBe(0.5);
  expect(baseline.passRate?.low).toBeCloseTo(0.352, 3);
  expect(variant).toMatchObject({ tests: 40n, passed: 30n });
  // The mean of the scores by both definitions.
  expect(variant.averageScore?.value).toBeCloseTo((0.9 + 0.75) / 2, 9);
  expect(difference).toMatchObject({ commonTasks: 40n, method: ComparisonMethod.PAIRED });
  expect(difference).toMatchObject({ verdict: ComparisonVerdict.BETTER, mcnemarP: expect.closeTo(2 / 1024, 12) });
  expect(difference.summary).toBe("Better by 0.25 (0.11 to 0.39) at 40 common tasks.");
  expect(difference.passRate?.adjustedP).toBe(difference.passRate?.p);
  expect(difference.smallestDetectable).toBeCloseTo(0.1942, 3);
  // The number of tasks needed to detect a difference of 0.1.
  expect(difference.tasksNeeded).toBe(151n);

  const [first, second] = definitions;
  const [same, changed] = first?.definition?.id === polite ? [first, second] : [second, first];
  expect(same?.difference).toMatchObject({ verdict: ComparisonVerdict.NO_EVIDENCE, passRate: { value: 0, p: 1 } });
  expect(changed?.difference?.passRate?.adjustedP).toBeCloseTo(2 * (changed?.difference?.passRate?.p ?? 0), 12);
  expect(changed?.difference?.verdict).toBe(ComparisonVerdict.BETTER);

  expect(changedTasks.map(({ task }) => task?.id).sort()).toEqual(
    taskIds.filter((_, at) => at % 2 === 1 && at < 20).sort(),
  );
  const [changedTask] = changedTasks;
  const at = taskIds.indexOf(changedTask?.task?.id ?? "");
  expect(changedTask?.baseline).toMatchObject({ testId: before.testIds[at], passed: false });
  expect(changedTask?.variant).toMatchObject({ testId: after.testIds[at], passed: true });
});

test("errored tests count in no rate; if they differ by more than chance, the runs are not comparable", async () => {
  const before = await newRun(tests(() => true));
  const after = await newRun(
    taskIds.map((taskId, at): NewTest => {
      if (at < 15) return { taskId, status: ResultStatus.FAILED };
      if (at < 20) return { taskId, status: ResultStatus.IN_PROGRESS };
      if (at < 30) return { taskId, passed: true };
      const evaluation = { definitionId: exact, status: EvaluationStatus.FAILED, message: "no answer" };
      return { taskId, passed: true, evaluations: [evaluation] };
    }),
  );
  const { variant, difference, definitions } = await compare(before.id, after.id);
  expect(variant).toMatchObject({ tests: 10n, passed: 10n, failed: 0n, errored: 25n, none: 0n, uncounted: 5n });
  expect(variant.passRate?.value).toBe(1);
  expect(difference).toMatchObject({
    commonTasks: 10n,
    verdict: ComparisonVerdict.NOT_COMPARABLE,
    notCompared: { baseline: { judge: 0n }, variant: { application: 15n, configuration: 0n, judge: 10n }, tasks: 25n },
    summary:
      "Not comparable: errors differ by more than chance (tasks with errors: baseline 0, variant 25); " +
      "25 of 35 common tasks could not be judged (variant: 15 without an answer, 10 without a verdict).",
  });
  const judged = definitions.find(({ definition }) => definition?.id === exact);
  expect(judged?.variant).toMatchObject({ tests: 0n, passed: 0n, errored: 10n });
});

test("cost, tokens and latency of a test come from the application's trace", async () => {
  const before = await newRun(taskIds.slice(0, 2).map((taskId) => ({ taskId, passed: true })));
  const after = await newRun(taskIds.slice(0, 2).map((taskId) => ({ taskId, passed: true })));
  await harness.client(IngestService).ingestEvents(
    {
      events: after.testIds.map((testId, at) => ({
        type: "trace",
        testId,
        totalCost: 0.25 * (at + 1),
        totalPromptTokens: 100n,
        totalCompletionTokens: 20n,
      })),
    },
    call(),
  );
  // Usage is copied to the tests on trace completion.
  await expect.poll(async () => (await compare(before.id, after.id)).variant.cost?.value).toBeCloseTo(0.375, 9);
  const { baseline, variant } = await compare(before.id, after.id);
  expect(baseline.cost).toBeUndefined();
  expect(variant.tokens).toMatchObject({ input: { value: 100 }, output: { value: 20 } });
  // Simulates tests from a version that did not copy usage to tests.
  await harness.database.sql(
    "UPDATE experiments.test SET trace_cost = NULL, trace_input_tokens = NULL WHERE run_id = $1",
    [after.id],
  );
  expect((await compare(before.id, after.id)).variant).toEqual(variant);
});

test("runs of another tenant, and unknown ones, are not found", async () => {
  const { id } = await newRun(tests(() => true));
  for (const [a, b, by] of [
    [id, newId(), tenant],
    [newId(), id, tenant],
    [id, id, testTenant()],
  ] as const) {
    await expect(runs.compareRuns({ a, b }, testCall(by))).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: "Run not found",
    });
  }
});

test("a run compared with itself has no difference, and the number of statements does not depend on its tests", async () => {
  const { id } = await newRun(tests((at) => at % 3 === 0));
  const readAll = vi.spyOn(Database.prototype, "readAll");
  const { difference } = await compare(id, id.toUpperCase());
  expect(readAll.mock.calls.map(([, statements]) => statements.length)).toEqual([5, 1]);
  readAll.mockRestore();
  expect(difference.summary).toBe("No difference: the pass rate of each of 40 common tasks is the same.");
});
