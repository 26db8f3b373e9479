import { expect, test } from "vitest";
import { toOutcome } from "./outcome.ts";
import { outcomeText } from "./outcome-text.ts";

const run = { id: "r1", status: "COMPLETED", progress: { completed: 4, total: 4 } };
const times = { createdAt: "2026-01-01T00:00:00.000Z", modifiedAt: "2026-01-01T00:00:02.500Z" };
const task = { taskId: "k1", task: { title: "Opening hours" }, ...times };
const definition = { name: "Equal" };
const tests = [
  { ...task, id: "t1", status: "COMPLETED", passed: true, score: 1, evals: [] },
  {
    ...task,
    id: "t2",
    status: "COMPLETED",
    passed: false,
    score: 0.5,
    evals: [
      { definition, status: "COMPLETED", passed: false, results: { reason: "Expected 9, got 8" } },
      { definition, status: "COMPLETED", passed: true, score: 1 },
      { definition: { name: "Polite" }, status: "COMPLETED", passed: false, score: 2 },
    ],
  },
  { ...task, id: "t3", status: "FAILED", message: "no_trace: No trace arrived", evals: [] },
  { ...task, id: "t4", status: "COMPLETED", passed: null, score: null, evals: [] },
];

test("a failed test counts as not passed; a test without evaluations does not count", () => {
  const outcome = toOutcome(run, tests);
  expect(outcome).toMatchObject({ runId: "r1", passed: 1, counted: 3, passRate: 1 / 3 });
  expect(outcome.tests.map(({ passed, isError, seconds }) => [passed, isError, seconds])).toEqual([
    [true, false, 2.5],
    [false, false, 2.5],
    [false, true, 2.5],
    [null, false, 2.5],
  ]);
  expect(toOutcome(run, [tests[3]]).passRate).toBeNull();
});

test("the table has the passed tests of each task, and the reasons of the failed tests", () => {
  expect(outcomeText(toOutcome(run, tests))).toBe(`Task           Tests  Passed  Errors  Score
Opening hours      4       1       1   0.75

Not passed     Why                         Test
Opening hours  Equal: Expected 9, got 8    t2
Opening hours  Polite: score 2             t2
Opening hours  no_trace: No trace arrived  t3

1 of 3 tests passed (33.3 %)`);
});

test("one failed test of ten thousand is visible in the rate", () => {
  const many = { tests: [], runId: "r1", status: "COMPLETED", passed: 9_999, counted: 10_000, passRate: 0.9999 };
  expect(outcomeText(many)).toContain("9999 of 10000 tests passed (99.9 %)");
});
