// Guarantees of calibrations, for judges with fixed error rates and people who review some of the traces.

import { calibrate, chooseNext, type HumanCounts } from "@ems/experiments/calibration";
import type { Draws } from "./random.ts";
import { measureShare, type Scenario } from "./scenarios.ts";

interface Judged {
  readonly traceId: string;
  readonly taskId: string;
  readonly judge: boolean;
  /** True if people pass the trace; known for each trace, even if it is not sampled for review. */
  readonly people: boolean;
}

interface Design {
  readonly traces: number;
  readonly annotated: number;
  /** Share of traces that people pass for a task of medium difficulty. */
  readonly rate: number;
  readonly sensitivity: number;
  readonly specificity: number;
}

const tasks = 50;
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** Returns the tasks' pass rates by people, from very hard to very easy. */
const getRates = ({ rate }: Design) =>
  Array.from({ length: tasks }, (_, task) => logistic(Math.log(rate / (1 - rate)) + (4 * (task + 0.5)) / tasks - 2));

/** Generates traces of tasks of different difficulty; each is judged independently of the others. */
function traffic(draws: Draws, design: Design): Judged[] {
  const { traces, sensitivity, specificity } = design;
  const rates = getRates(design);
  return Array.from({ length: traces }, (_, at) => {
    const people = draws.is(rates[at % tasks] ?? 0);
    const judge = draws.is(people ? sensitivity : 1 - specificity);
    return { traceId: String(at), taskId: String(at % tasks), judge, people };
  });
}

const count = (traces: readonly Judged[], judge: boolean, people: boolean) =>
  traces.filter((trace) => trace.judge === judge && trace.people === people).length;

function getQuality(all: readonly Judged[], annotated: readonly Judged[]) {
  const confusion = {
    bothPass: count(annotated, true, true),
    onlyJudgePasses: count(annotated, true, false),
    onlyHumanPasses: count(annotated, false, true),
    bothFail: count(annotated, false, false),
  };
  return calibrate({ confusion, evaluations: all.length, passed: all.filter(({ judge }) => judge).length });
}

type Choose = (all: readonly Judged[], design: Design) => readonly Judged[];

/** Takes the first traces: their order is random, so they are a random sample. */
const sample: Choose = (all, { annotated }) => all.slice(0, annotated);

const batch = 20;

/** Selects traces like reviewers who refill their queue repeatedly. */
const chosen: Choose = (all, { annotated }) => {
  let done: readonly Judged[] = [];
  while (done.length < annotated) {
    const found = new Set(done);
    const ofTasks = new Map<string, HumanCounts>();
    for (const { taskId, people } of done) {
      const { passed, failed } = ofTasks.get(taskId) ?? { passed: 0, failed: 0 };
      ofTasks.set(taskId, { passed: passed + Number(people), failed: failed + Number(!people) });
    }
    const left = all.filter((trace) => !found.has(trace));
    done = [...done, ...chooseNext(left, getQuality(all, done), ofTasks, batch)];
  }
  return done;
};

const coverage =
  (choose: Choose, words: string, every: number, design: Design): Scenario =>
  (draws, experiments) => {
    let measured = 0;
    const { traces, annotated, sensitivity, specificity } = design;
    const truth = getRates(design).reduce((sum, rate) => sum + rate, 0) / tasks;
    const covered = measureShare(Math.ceil(experiments / every), () => {
      const all = traffic(draws, design);
      const { measures } = getQuality(all, choose(all, design));
      if (measures === undefined) return false;
      measured++;
      const interval = measures.correctedPassRate;
      return interval !== undefined && interval.low <= truth && truth <= interval.high;
    });
    const total = Math.ceil(experiments / every);
    return {
      what: `corrected pass rate ${truth.toFixed(2)}, judge of ${sensitivity} and ${specificity}, ${annotated} of ${traces} annotated ${words}: covers it`,
      share: (covered * total) / measured,
      experiments: measured,
      aim: [0.93, 1],
    };
  };

/** Rates of a trace's other criteria, which a verdict on the whole answer depends on too. */
const otherCriteria = [0.9, 0.7, 0.8, 0.95];

/** Share of calibrations whose intervals of sensitivity and specificity cover the judge's own rates. */
const recovery =
  (words: string, isWholeAnswer: boolean, aim: readonly [number, number], of: Design): Scenario =>
  (draws, experiments) => {
    const { annotated, sensitivity, specificity } = of;
    const total = Math.ceil(experiments / 4);
    let measured = 0;
    const recovered = measureShare(total, () => {
      // In each experiment, the other criteria are harder or easier.
      const shift = draws.normal();
      const rates = otherCriteria.map((rate) => logistic(Math.log(rate / (1 - rate)) + shift));
      const all = traffic(draws, of).map((trace) => {
        const passesOthers = rates.map((rate) => draws.is(rate)).every((passes) => passes);
        return { ...trace, people: isWholeAnswer ? trace.people && passesOthers : trace.people };
      });
      const { measures } = getQuality(all, all.slice(0, annotated));
      if (measures === undefined) return false;
      measured++;
      const covers = ({ low, high }: { low: number; high: number }, rate: number) => low <= rate && rate <= high;
      return covers(measures.sensitivity, sensitivity) && covers(measures.specificity, specificity);
    });
    return {
      what: `judge of ${sensitivity} and ${specificity}, ${annotated} annotated ${words}: both rates recovered`,
      share: (recovered * total) / measured,
      experiments: measured,
      aim,
    };
  };

const design = (change: Partial<Design>): Design => ({
  traces: 1_000,
  annotated: 200,
  rate: 0.7,
  sensitivity: 0.9,
  specificity: 0.8,
  ...change,
});

export const calibrations: readonly Scenario[] = [
  coverage(sample, "at random", 10, design({ traces: 10_000 })),
  coverage(sample, "at random", 4, design({})),
  coverage(sample, "at random", 4, design({ rate: 0.85, sensitivity: 0.95 })),
  coverage(sample, "at random", 4, design({ rate: 0.5, sensitivity: 0.75, specificity: 0.7, annotated: 100 })),
  coverage(chosen, "by choice", 40, design({ traces: 2_000 })),
  coverage(chosen, "by choice", 40, design({ traces: 2_000, rate: 0.85, sensitivity: 0.95 })),
  // Two intervals of 95 % cover at once in at least 90 %. Verdicts on whole answers cannot measure one judge.
  recovery("for its criterion", false, [0.88, 1], design({})),
  recovery("as whole answers", true, [0, 0.5], design({})),
  recovery("for its criterion", false, [0.88, 1], design({ rate: 0.5, sensitivity: 0.75, specificity: 0.7 })),
  recovery("as whole answers", true, [0, 0.5], design({ rate: 0.5, sensitivity: 0.75, specificity: 0.7 })),
];
