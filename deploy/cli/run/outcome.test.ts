import { expect, test } from "vitest";
import { toOutcome } from "./outcome.ts";
import { outcomeText } from "./outcome-text.ts";

const run = { id: "r1", status: "COMPLETED", progress: { completed: 4, total: 4 } };
const times = { createdAt: "2026-01-01T00:00:00.000Z", modifiedAt: "2026-01-01T00:00:02.500Z" };
const task = { taskId: "k1", task: { title: "Opening hours" }, ...times };
const definition = { name: "Equal" };
const tests = [
  { ...task, id: "t1", status: "COMPLETED", outcome: "PASSED", score: 1, evals: [] },
  {
    ...task,
    id: "t2",
    status: "COMPLETED",
    outcome: "FAILED",
    score: 0.5,
    evals: [
      { definition, status: "COMPLETED", passed: false, results: { reason: "Expected 9, got 8" } },
      { definition, status: "COMPLETED", passed: true, score: 1 },
      { definition: { name: "Polite" }, status: "COMPLETED", passed: false, score: 2 },
    ],
  },
  {
    ...task,
    id: "t3",
    status: "FAILED",
    outcome: "ERRORED",
    errorCause: "APPLICATION",
    message: "no_trace: No trace arrived",
    evals: [],
  },
  { ...task, id: "t4", status: "COMPLETED", outcome: "NONE", score: null, evals: [] },
  {
    ...task,
    id: "t5",
    status: "COMPLETED",
    outcome: "ERRORED",
    errorCause: "JUDGE",
    message: "attempts_exhausted: 503",
    evals: [{ definition, status: "FAILED", message: "attempts_exhausted: 503" }],
  },
];

test("rates count judged tests only, and errors are counted separately", () => {
  const outcome = toOutcome(run, tests);
  expect(outcome).toMatchObject({ runId: "r1", passed: 1, failed: 1, errored: 2, none: 1, passRate: 1 / 2 });
  expect(outcome.tests.map(({ errorCause, seconds }) => [errorCause, seconds])).toEqual([
    [null, 2.5],
    [null, 2.5],
    ["APPLICATION", 2.5],
    [null, 2.5],
    ["JUDGE", 2.5],
  ]);
  expect(toOutcome(run, [tests[3]]).passRate).toBeNull();
});

test("the table has the passed tests of each task, and the reasons of the failed tests", () => {
  expect(outcomeText(toOutcome(run, tests))).toBe(`Task           Tests  Passed  Errored  Score
Opening hours      5       1        2   0.75

Not passed     Why                             Test
Opening hours  Equal: Expected 9, got 8        t2
Opening hours  Polite: score 2                 t2
Opening hours  no_trace: No trace arrived      t3
Opening hours  Equal: attempts_exhausted: 503  t5

1 of 2 judged tests passed (50 %), 2 errored, 1 not judged`);
});

test("one failed test of ten thousand is visible in the rate", () => {
  const many = { tests: [], runId: "r1", status: "COMPLETED", passed: 9_999, failed: 1, passRate: 0.9999 };
  const labels = { name: "Nightly", version: null, commit: null, notes: null };
  expect(outcomeText({ ...many, ...labels, errored: 0, none: 0 })).toContain(
    "9999 of 10000 judged tests passed (99.9 %)",
  );
});
