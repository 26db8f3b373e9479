// Which traces to annotate next: those that narrow the corrected pass rate most. Pure.
//
// What the judge found of a trace must not decide: sensitivity and specificity are shares among what people passed and failed, and
// choosing traces by the judge's decisions would change these shares. What people judged of the same task may: it says which
// traces they will probably pass.

import { hash } from "node:crypto";
import { calibrationTracesMin } from "@ems/proto/limits";
import type { Quality } from "./calibrate.ts";

/** How many of a task's traces people passed and failed. */
export interface Peoples {
  readonly passed: number;
  readonly failed: number;
}

interface Candidate {
  readonly traceId: string;
  readonly taskId: string;
}

/** At most `count` of the candidates, the most telling first. Of equal ones a hash of the id decides, which is a random sample. */
export function chooseNext<C extends Candidate>(
  candidates: readonly C[],
  quality: Quality,
  ofTasks: ReadonlyMap<string, Peoples>,
  count: number,
): C[] {
  const worthOf = worthByTask(quality);
  const tasks = [...Map.groupBy(inRandomOrder(candidates), ({ taskId }) => taskId)].map(([taskId, traces]) => ({
    traces,
    chosen: 0,
    value: worthOf(ofTasks.get(taskId) ?? { passed: 0, failed: 0 }),
  }));
  const next: C[] = [];
  while (next.length < count) {
    // Traces of one task resemble one another: each tells less than the one before.
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

/** What a trace is worth, by what people judged of its task. */
function worthByTask(quality: Quality): (task: Peoples) => number {
  const { humanPassed, humanFailed } = quality;
  const { ofPassed, ofFailed } = gains(quality);
  const share = (humanPassed + 1) / (humanPassed + humanFailed + 2);
  return ({ passed, failed }) => {
    // Two traces of the average task, as long as there is little of this one.
    const pass = (passed + 2 * share) / (passed + failed + 2);
    return pass * ofPassed + (1 - pass) * ofFailed;
  };
}

/** How much one more trace that people pass, or fail, is worth: what is missing first, then by how much the variance falls. */
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
