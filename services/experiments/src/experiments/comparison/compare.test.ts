import fc from "fast-check";
import { expect, test } from "vitest";
import { classifyDifference, compare } from "./compare.ts";
import { formatSummary } from "./summary.ts";
import { passRate, type TaskResults } from "./task-results.ts";

/** One side of a comparison: `passed` is the number of passed tests of each task, out of `tests`. */
const side = (passed: readonly number[], tests = 1): TaskResults[] =>
  passed.map((count, at) => ({
    taskId: `task ${at}`,
    tests,
    passed: count,
    errored: 0,
    none: 0,
    cause: undefined,
    scores: { count: tests, sum: count },
  }));
const repeat = (length: number, value: number) => Array.from({ length }, () => value);
const other = (results: TaskResults[]) => results.map((task) => ({ ...task, taskId: `other ${task.taskId}` }));

function compared(baseline: TaskResults[], variant: TaskResults[]) {
  const difference = compare(baseline, variant, 0.05);
  const outcome = classifyDifference(difference, difference.passRate?.p);
  return { ...difference, outcome, summary: formatSummary(outcome, difference) };
}

const alternating = (length: number, from = 0) => Array.from({ length }, (_, at) => (at + from) % 2);

test.each([
  ["none", [], [], { outcome: "too_few_tasks", passRate: undefined, commonTasks: 0 }],
  ["one side without tests", [], side(repeat(20, 1)), { outcome: "too_few_tasks", commonTasks: 0 }],
  ["one task", side([1]), side([0]), { outcome: "too_few_tasks", commonTasks: 1 }],
  ["two tasks", side([1, 1]), side([0, 1]), { outcome: "too_few_tasks", commonTasks: 2 }],
  ["nine tasks that all got worse", side(repeat(9, 1)), side(repeat(9, 0)), { outcome: "too_few_tasks" }],
  [
    "ten tasks that all got worse",
    side(repeat(10, 1)),
    side(repeat(10, 0)),
    { outcome: "worse", mcnemarP: expect.closeTo(2 / 1024, 12) },
  ],
  ["all pass on both sides", side(repeat(30, 1)), side(repeat(30, 1)), { outcome: "no_evidence", mcnemarP: 1 }],
  ["identical sides", side(alternating(30)), side(alternating(30)), { outcome: "no_evidence", tasksNeeded: undefined }],
  ["tasks missing on one side", side(repeat(30, 0)), side(repeat(12, 1)), { outcome: "better", commonTasks: 12 }],
  ["tasks without a test that counts", side(repeat(30, 0)), side(repeat(30, 0), 0), { commonTasks: 0 }],
  ["repeats", side(repeat(12, 1), 4), side(repeat(12, 4), 4), { outcome: "better", mcnemarP: undefined }],
  ["no common task", side(alternating(40)), other(side(repeat(40, 1))), { outcome: "better", method: "unpaired" }],
  ["no common task of nine", side(repeat(9, 0)), other(side(repeat(40, 1))), { outcome: "too_few_tasks" }],
])("%s", (_, baseline, variant, expected) => {
  expect(compared(baseline, variant)).toMatchObject(expected);
});

test("the summary states what can be concluded", () => {
  const few = compared(side([1]), side([0]));
  expect(few.summary).toBe("Not enough data: 1 common task, 10 needed.");
  expect(compared(side(alternating(40)), side(alternating(40))).summary).toBe(
    "No difference: the pass rate of each of 40 common tasks is the same.",
  );
  const mixed = compared(side(alternating(40)), side([...alternating(36), ...alternating(4, 1)]));
  expect(mixed.summary).toBe("No evidence of a difference at 40 common tasks; smallest detectable difference: 0.14.");
  const better = compared(side([...repeat(20, 0), ...repeat(20, 1)]), side(repeat(40, 1)));
  expect(better.summary).toBe("Better by 0.50 (0.34 to 0.66) at 40 common tasks.");
  const apart = compared(side(alternating(40)), other(side(repeat(40, 1))));
  expect(apart.summary).toBe("Better by 0.50 (0.34 to 0.66) at 40 tasks a side, none in common.");
});

test("swapping the sides negates the difference; repeating every test changes only the counts", () => {
  const tasks = fc.array(fc.record({ a: fc.nat(3), b: fc.nat(3) }), { minLength: 2, maxLength: 60 });
  fc.assert(
    fc.property(tasks, fc.integer({ min: 2, max: 5 }), (pairs, times) => {
      const [a, b] = [
        side(
          pairs.map((pair) => pair.a),
          3,
        ),
        side(
          pairs.map((pair) => pair.b),
          3,
        ),
      ];
      const [there, back] = [compare(a, b, 0.05), compare(b, a, 0.05)];
      expect(back.passRate?.value).toBeCloseTo(-(there.passRate?.value ?? Number.NaN), 12);
      expect(back.passRate?.p).toBeCloseTo(there.passRate?.p ?? Number.NaN, 9);
      const repeated = (results: TaskResults[]) =>
        results.map((task) => ({ ...task, tests: times * task.tests, passed: times * task.passed }));
      expect(compare(repeated(a), repeated(b), 0.05).passRate?.p).toBeCloseTo(there.passRate?.p ?? Number.NaN, 9);
    }),
  );
});

test.each([
  ["no tests", [], 1, undefined],
  ["one test a task: Wilson", [1, 0, 1, 1], 1, { value: 0.75, interval: { low: 0.3006, high: 0.9544 } }],
  ["repeats that all pass: Wilson of tasks", [3, 3, 3, 3], 3, { value: 1, interval: { low: 0.5101, high: 1 } }],
  ["repeats that vary: clustered", [3, 0, 3, 0], 3, { value: 0.5, interval: { low: 0, high: 1 } }],
  ["repeats of one task", [2], 3, { value: 2 / 3, interval: undefined }],
])("the pass rate of a side: %s", (_, passed, tests, expected) => {
  const rate = passRate(side(passed, tests));
  if (expected === undefined) return expect(rate).toBeUndefined();
  expect(rate?.value).toBeCloseTo(expected.value, 12);
  expect(rate?.interval?.low ?? -1).toBeCloseTo(expected.interval?.low ?? -1, 3);
  expect(rate?.interval?.high ?? -1).toBeCloseTo(expected.interval?.high ?? -1, 3);
});
