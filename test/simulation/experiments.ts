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
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
const logit = (p: number) => Math.log(p / (1 - p));

/** Simulates an experiment, and compares its sides as the product does. */
export function experiment(draws: Draws, { tasks, repeats, rate, spread, effect }: Design) {
  const baseline: TaskResults[] = [];
  const variant: TaskResults[] = [];
  for (let task = 0; task < tasks; task++) {
    const logOdds = logit(rate) + spread * draws.normal();
    baseline.push(results(task, repeats, draws.passes(repeats, logistic(logOdds))));
    variant.push(results(task, repeats, draws.passes(repeats, logistic(logOdds + effect))));
  }
  const changed = variant.filter(({ passed }, task) => passed !== baseline[task]?.passed).length;
  return { baseline, variant, changed, difference: compare(baseline, variant, 0.05) };
}

const results = (task: number, tests: number, passed: number): TaskResults => ({
  taskId: String(task),
  tests,
  passed,
  errored: 0,
  none: 0,
  cause: undefined,
  scores: { count: 0, sum: 0 },
});

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
