// Simulated experiments: tasks of different difficulty, each with as many tests on both sides.

import { compare, type TaskResults } from "@ems/experiments/comparison";
import type { Draws } from "./random.ts";

export interface Design {
  readonly tasks: number;
  /** Number of tests per task on each side. */
  readonly repeats: number;
  /** Pass rate of a task of medium difficulty. */
  readonly rate: number;
  /** Standard deviation of the tasks' log-odds: 0 makes all tasks equally hard. */
  readonly spread: number;
  /** Effect of the variant on the log-odds of every task. */
  readonly effect: number;
  /** Number of evaluators; a test passes if all of them pass it. */
  readonly evaluators?: number;
  /** Probability that an evaluator gives no verdict, on each side. */
  readonly failing?: readonly [baseline: number, variant: number];
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const logit = (p: number) => Math.log(p / (1 - p));

/** Simulates an experiment, and compares its sides as the product does. */
export function experiment(draws: Draws, design: Design) {
  const { tasks, rate, spread, effect, failing = [0, 0] } = design;
  const baseline: TaskResults[] = [];
  const variant: TaskResults[] = [];
  for (let task = 0; task < tasks; task++) {
    const logOdds = logit(rate) + spread * draws.normal();
    baseline.push(results(draws, task, design, logistic(logOdds), failing[0]));
    variant.push(results(draws, task, design, logistic(logOdds + effect), failing[1]));
  }
  const changed = variant.filter(({ passed }, task) => passed !== baseline[task]?.passed).length;
  return { baseline, variant, changed, difference: compare(baseline, variant, 0.05) };
}

/** Simulates the tests of a task. A test with an evaluator that gives no verdict errors, whatever the others say. */
function results(
  draws: Draws,
  task: number,
  { repeats, evaluators = 1 }: Design,
  rate: number,
  failing: number,
): TaskResults {
  let [tests, passed] = [0, 0];
  for (let test = 0; test < repeats; test++) {
    if (failing > 0 && draws.passes(evaluators, failing) > 0) continue;
    tests += 1;
    passed += Number(draws.passes(evaluators, rate) === evaluators);
  }
  const errored = repeats - tests;
  const cause = errored > 0 ? ("judge" as const) : undefined;
  return { taskId: String(task), tests, passed, errored, none: 0, cause, scores: { count: 0, sum: 0 } };
}

/** Returns the true pass rate over all possible tasks and the true difference (trapezoid rule, ±8 deviations). */
export function truth({ rate, spread, effect }: Design): { readonly rate: number; readonly difference: number } {
  const steps = 4_000;
  const width = 16 / steps;
  let [before, after] = [0, 0];
  for (let step = 0; step <= steps; step++) {
    const x = -8 + step * width;
    const weight =
      ((step === 0 || step === steps ? 0.5 : 1) * width * Math.exp(-(x ** 2) / 2)) / Math.sqrt(2 * Math.PI);
    before += weight * logistic(logit(rate) + spread * x);
    after += weight * logistic(logit(rate) + spread * x + effect);
  }
  return { rate: before, difference: after - before };
}
