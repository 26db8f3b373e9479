// Compares two runs statistically by the tasks they have in common. Pure. Each task counts as one value, the mean of
// its tests, so that repeated tests add no evidence. Only the t-test of the pass rate decides the outcome.

import {
  clusteredMean,
  itemsNeeded,
  type Mean,
  mcnemarP,
  meanDifference,
  smallestDetectable,
} from "@ems/kit/statistics";
import { hasEndedTests, isJudged, type LeftOut, leftOutOfPairs, leftOutOfSides } from "./left-out.ts";
import type { TaskResults } from "./task-results.ts";

/** Minimum number of common tasks for a conclusion. */
export const tasksMin = 10;
export const alpha = 0.05;

export type Outcome = "better" | "worse" | "no_evidence" | "too_few_tasks" | "not_comparable";

export interface Difference extends LeftOut {
  readonly passRate: Mean | undefined;
  readonly averageScore: Mean | undefined;
  /** P value of McNemar's test; defined if each task has exactly one test per side. */
  readonly mcnemarP: number | undefined;
  readonly method: "paired" | "unpaired";
  /** Number of tasks judged on both sides; if the runs share no task, the task count of the smaller side. */
  readonly tasks: number;
  readonly commonTasks: number;
  /** Smallest detectable difference of the pass rate; undefined if the pass rate does not vary. */
  readonly smallestDetectable: number | undefined;
  readonly tasksNeeded: number | undefined;
}

/** Returns variant minus baseline. `tasksNeeded` is the number of tasks needed to detect a difference of `detect`. */
export function compare(baseline: readonly TaskResults[], variant: readonly TaskResults[], detect: number): Difference {
  const before = new Map(baseline.filter(hasEndedTests).map((results) => [results.taskId, results]));
  const common = variant.filter(hasEndedTests).flatMap((after): [TaskResults, TaskResults][] => {
    const same = before.get(after.taskId);
    return same === undefined ? [] : [[same, after]];
  });
  const isPaired = common.length > 0;
  const pairs = common.filter((pair) => pair.every(isJudged));
  const sides = isPaired
    ? [pairs.map(([side]) => side), pairs.map(([, side]) => side)]
    : [baseline.filter(isJudged), variant.filter(isJudged)];
  const [a = [], b = []] = sides;
  const passRate = isPaired ? pairedDifference(pairs, getPassRate) : unpairedDifference(a, b, getPassRate);
  const averageScore = isPaired ? pairedDifference(pairs, getScore) : unpairedDifference(a, b, getScore);
  const tasks = Math.min(a.length, b.length);
  const error = passRate === undefined || passRate.standardError === 0 ? undefined : passRate.standardError;
  return {
    ...(isPaired ? leftOutOfPairs(common) : leftOutOfSides(baseline, variant)),
    passRate,
    averageScore,
    mcnemarP: testMcnemar(pairs),
    method: isPaired ? "paired" : "unpaired",
    tasks,
    commonTasks: pairs.length,
    smallestDetectable: error === undefined ? undefined : smallestDetectable(error),
    tasksNeeded: error === undefined ? undefined : Math.max(tasksMin, itemsNeeded(error, tasks, detect)),
  };
}

/** Returns false if errors prevent a conclusion: they differ between the sides, or leave too few tasks. */
export const isComparable = ({ errorsDiffer, tasks, tasksBeforeErrors }: Difference) =>
  !errorsDiffer && (tasks >= tasksMin || tasksBeforeErrors < tasksMin);

/** Returns the p value; undefined if the difference has too few tasks to be tested, or is not comparable. */
export const testedP = (difference: Difference) =>
  difference.tasks < tasksMin || !isComparable(difference) ? undefined : difference.passRate?.p;

/** Classifies a difference by its adjusted p value. */
export function classifyDifference(difference: Difference, p: number | undefined): Outcome {
  const { tasks, passRate } = difference;
  if (!isComparable(difference)) return "not_comparable";
  if (tasks < tasksMin || passRate === undefined || p === undefined) return "too_few_tasks";
  if (p >= alpha) return "no_evidence";
  return passRate.value > 0 ? "better" : "worse";
}

type Value = (results: TaskResults) => number | undefined;
const getPassRate: Value = ({ passed, tests }) => passed / tests;
const getScore: Value = ({ scores: { count, sum } }) => (count === 0 ? undefined : sum / count);

function pairedDifference(pairs: readonly (readonly [TaskResults, TaskResults])[], value: Value) {
  return clusteredMean(
    pairs.flatMap(([before, after]) => {
      const [from, to] = [value(before), value(after)];
      return from === undefined || to === undefined ? [] : [{ count: 1, sum: to - from }];
    }),
  );
}

function unpairedDifference(a: readonly TaskResults[], b: readonly TaskResults[], value: Value) {
  const listValues = (side: readonly TaskResults[]) => side.map(value).filter((mean) => mean !== undefined);
  return meanDifference(listValues(b), listValues(a));
}

function testMcnemar(pairs: readonly (readonly [TaskResults, TaskResults])[]) {
  if (pairs.length === 0 || pairs.some(([a, b]) => a.tests !== 1 || b.tests !== 1)) return undefined;
  const onlyBaseline = pairs.filter(([a, b]) => a.passed > b.passed).length;
  const onlyVariant = pairs.filter(([a, b]) => a.passed < b.passed).length;
  return mcnemarP(onlyBaseline, onlyVariant);
}
