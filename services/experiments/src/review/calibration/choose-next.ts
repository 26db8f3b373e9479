// Chooses the traces to annotate next: those that narrow the interval of the corrected pass rate most. Pure.
//
// The judge's decision on a trace must not influence the choice. Sensitivity and specificity are shares of the traces
// that people passed or failed, and such a choice would bias them. Annotations of the same task may influence the
// choice, because they only predict the decision of people.

import { hash } from "node:crypto";
import { calibrationTracesMin } from "@ems/proto/limits";
import type { Quality } from "./calibrate.ts";

/** Number of a task's traces that people passed and failed. */
export interface HumanCounts {
  readonly passed: number;
  readonly failed: number;
}

interface Candidate {
  readonly traceId: string;
  readonly taskId: string;
}

/**
 * Returns at most `count` candidates, most informative first. A hash of the id breaks ties, which makes the result a
 * random sample.
 */
export function chooseNext<C extends Candidate>(
  candidates: readonly C[],
  quality: Quality,
  ofTasks: ReadonlyMap<string, HumanCounts>,
  count: number,
): C[] {
  const getWorth = worthByTask(quality);
  const tasks = [...Map.groupBy(inRandomOrder(candidates), ({ taskId }) => taskId)].map(([taskId, traces]) => ({
    traces,
    chosen: 0,
    value: getWorth(ofTasks.get(taskId) ?? { passed: 0, failed: 0 }),
  }));
  const next: C[] = [];
  while (next.length < count) {
    // Traces of one task are similar, so each adds less information than the one before it.
    const worth = (task: (typeof tasks)[number]) =>
      task.chosen < task.traces.length ? task.value / (1 + task.chosen) : Number.NEGATIVE_INFINITY;
    const best = tasks.reduce<(typeof tasks)[number] | undefined>(
      (first, task) => (first === undefined || worth(task) > worth(first) ? task : first),
      undefined,
    );
    const trace = best?.traces[best.chosen];
    if (best === undefined || trace === undefined) break;
    best.chosen++;
    next.push(trace);
  }
  return next;
}

function inRandomOrder<C extends Candidate>(candidates: readonly C[]): C[] {
  const keyed = candidates.map((candidate) => ({ candidate, key: hash("sha256", candidate.traceId) }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  return keyed.map(({ candidate }) => candidate);
}

/** Returns a function that estimates the value of annotating a trace, from the annotations of its task. */
function worthByTask(quality: Quality): (task: HumanCounts) => number {
  const { humanPassed, humanFailed } = quality;
  const { ofPassed, ofFailed } = gains(quality);
  const share = (humanPassed + 1) / (humanPassed + humanFailed + 2);
  return ({ passed, failed }) => {
    // Adds two average traces as a prior, for tasks with few annotations.
    const pass = (passed + 2 * share) / (passed + failed + 2);
    return pass * ofPassed + (1 - pass) * ofFailed;
  };
}

/**
 * Returns the gain from annotating one more trace that people pass, and one that they fail. Missing annotations weigh
 * most, then the reduction of the variance.
 */
function gains({ humanPassed, humanFailed, measures }: Quality): { ofPassed: number; ofFailed: number } {
  if (measures === undefined) {
    const missing = (count: number) => Math.max(0, calibrationTracesMin - count);
    return { ofPassed: missing(humanPassed), ofFailed: missing(humanFailed) };
  }
  const rate = measures.correctedPassRate?.value ?? 0.5;
  const gain = (value: number, count: number) => {
    const smoothed = (count * value + 1) / (count + 2);
    return smoothed * (1 - smoothed) * (1 / (count + 2) - 1 / (count + 3));
  };
  return {
    ofPassed: rate ** 2 * gain(measures.sensitivity.value, humanPassed),
    ofFailed: (1 - rate) ** 2 * gain(measures.specificity.value, humanFailed),
  };
}
