// Counts the tasks that a comparison leaves out, and decides whether errors differ between the sides. Pure.

import { fisherP, mcnemarP } from "@ems/kit/statistics";
import type { ErrorCause, TaskResults } from "./task-results.ts";

const errorsAlpha = 0.05;

export type LeftOutTasks = Readonly<Record<ErrorCause | "none", number>>;

export interface LeftOut {
  /** Tasks of each side without a judged test, by cause, and the number of tasks that are left out in total. */
  readonly notCompared: { readonly baseline: LeftOutTasks; readonly variant: LeftOutTasks; readonly tasks: number };
  /** Number of tasks to compare if no test had errored. */
  readonly tasksBeforeErrors: number;
  /** True if errors differ between the sides by more than chance: exact test at 0.05. */
  readonly errorsDiffer: boolean;
  /** Number of tasks with an error on each side. */
  readonly tasksErrored: { readonly baseline: number; readonly variant: number };
}

export const hasEndedTests = ({ tests, errored, none }: TaskResults) => tests + errored + none > 0;
export const isJudged = ({ tests }: TaskResults) => tests > 0;
const isDue = ({ tests, errored }: TaskResults) => tests + errored > 0;
const isErrored = ({ errored }: TaskResults) => errored > 0;

/** Errors of the same task on both sides are paired, so that McNemar's exact test compares them. */
export function leftOutOfPairs(pairs: readonly (readonly [TaskResults, TaskResults])[]): LeftOut {
  const due = pairs.filter((pair) => pair.every(isDue));
  const onlyBaseline = due.filter(([a, b]) => isErrored(a) && !isErrored(b)).length;
  const onlyVariant = due.filter(([a, b]) => !isErrored(a) && isErrored(b)).length;
  return {
    notCompared: {
      baseline: countLeftOut(pairs.map(([side]) => side)),
      variant: countLeftOut(pairs.map(([, side]) => side)),
      tasks: pairs.filter((pair) => !pair.every(isJudged)).length,
    },
    tasksBeforeErrors: due.length,
    tasksErrored: {
      baseline: due.filter(([side]) => isErrored(side)).length,
      variant: due.filter(([, side]) => isErrored(side)).length,
    },
    errorsDiffer: mcnemarP(onlyBaseline, onlyVariant) < errorsAlpha,
  };
}

/** Sides without common tasks are compared by Fisher's exact test. */
export function leftOutOfSides(baseline: readonly TaskResults[], variant: readonly TaskResults[]): LeftOut {
  const sides = [baseline, variant].map((side) => side.filter(isDue));
  const [a = [], b = []] = sides;
  const [erroredA, erroredB] = [a.filter(isErrored).length, b.filter(isErrored).length];
  const [leftOutOfBaseline, leftOutOfVariant] = [countLeftOut(baseline), countLeftOut(variant)];
  return {
    notCompared: {
      baseline: leftOutOfBaseline,
      variant: leftOutOfVariant,
      tasks: sum(leftOutOfBaseline) + sum(leftOutOfVariant),
    },
    tasksBeforeErrors: Math.min(a.length, b.length),
    tasksErrored: { baseline: erroredA, variant: erroredB },
    errorsDiffer: fisherP(erroredA, a.length - erroredA, erroredB, b.length - erroredB) < errorsAlpha,
  };
}

const sum = ({ application, configuration, judge, none }: LeftOutTasks) => application + configuration + judge + none;

function countLeftOut(side: readonly TaskResults[]): LeftOutTasks {
  const causes = side.flatMap((task) => (!hasEndedTests(task) || isJudged(task) ? [] : (task.cause ?? "none")));
  const count = (name: keyof LeftOutTasks) => causes.filter((cause) => cause === name).length;
  return {
    application: count("application"),
    configuration: count("configuration"),
    judge: count("judge"),
    none: count("none"),
  };
}
