// Guarantees of comparisons, each with the share of simulated experiments for which it holds.

import { classifyDifference, testedP } from "@ems/experiments/comparison";
import { clusteredMean, holm, rateInterval, smallestDetectable } from "@ems/kit/statistics";
import { type Design, experiment, truth } from "./experiments.ts";
import type { Draws } from "./random.ts";

export interface Row {
  readonly what: string;
  readonly share: number;
  /** Number of simulated experiments; undefined if the share is exact. */
  readonly experiments?: number;
  /** Accepted range of the share, inclusive, before sampling error. */
  readonly aim: readonly [low: number, high: number];
}

export type Scenario = (draws: Draws, experiments: number) => Row;

const design = (change: Partial<Design>): Design => ({
  tasks: 40,
  repeats: 1,
  rate: 0.8,
  spread: 1,
  effect: 0,
  ...change,
});
const named = ({ tasks, repeats, rate }: Design) =>
  `${tasks} tasks${repeats === 1 ? "" : ` × ${repeats}`}, rate ${rate}`;

const isSaid = (outcome: ReturnType<typeof classifyDifference>) => outcome === "better" || outcome === "worse";

/** Share of experiments that report a difference although there is none. */
const falseAlarms =
  (change: Partial<Design>): Scenario =>
  (draws, experiments) => {
    const same = design(change);
    const share = measureShare(experiments, () => {
      const { difference } = experiment(draws, same);
      return isSaid(classifyDifference(difference, difference.passRate?.p));
    });
    return { what: `no difference, ${named(same)}: better or worse`, share, experiments, aim: [0, 0.05] };
  };

/** Share of experiments without a difference that report one while an evaluator in ten calls gives no verdict. */
const falseAlarmsOfFailingJudges =
  (evaluators: number, failing: readonly [number, number]): Scenario =>
  (draws, experiments) => {
    const same = design({ evaluators, failing, rate: 0.9 });
    const share = measureShare(experiments, () => {
      const { difference } = experiment(draws, same);
      return isSaid(classifyDifference(difference, testedP(difference)));
    });
    const sides = failing[0] === 0 ? "one side" : "both sides";
    const what = `no difference, ${evaluators} evaluators, one in ten fails on ${sides}: better or worse`;
    return { what, share, experiments, aim: [0, 0.05] };
  };

const definitions = 20;

/** Share of experiments without a difference in any of many definitions in which at least one is found. */
const falseAlarmsOfMany: Scenario = (draws, experiments) => {
  const same = design({});
  const count = Math.ceil(experiments / definitions);
  const share = measureShare(count, () => {
    const found = Array.from({ length: definitions }, () => experiment(draws, same).difference);
    const adjusted = holm(found.map(({ passRate }) => passRate?.p ?? 1));
    return found.some((difference, at) => isSaid(classifyDifference(difference, adjusted[at])));
  });
  return {
    what: `no difference in ${definitions} definitions: any better or worse`,
    share,
    experiments: count,
    aim: [0, 0.05],
  };
};

/** Coverage of Wilson's interval: exact share of results that contain the rate, averaged over rates of 0.05 to 0.95. */
const wilsonCoverage =
  (total: number): Scenario =>
  () => {
    const rates = Array.from({ length: 91 }, (_, at) => 0.05 + at / 100);
    const covered = rates.map((rate) => {
      // Binomial probabilities as logarithms, which do not underflow.
      let logTerm = total * Math.log(1 - rate);
      let inside = 0;
      for (let passed = 0; passed <= total; passed++) {
        const interval = rateInterval(passed, total);
        if (interval !== undefined && interval.low <= rate && rate <= interval.high) inside += Math.exp(logTerm);
        logTerm += Math.log((total - passed) / (passed + 1)) + Math.log(rate / (1 - rate));
      }
      return inside;
    });
    const share = covered.reduce((sum, each) => sum + each, 0) / covered.length;
    return { what: `interval of a rate, n = ${total}: covers it (exact)`, share, aim: [0.94, 0.96] };
  };

const clusteredCoverage =
  (change: Partial<Design>): Scenario =>
  (draws, experiments) => {
    const designed = design(change);
    const { rate } = truth(designed);
    const share = measureShare(experiments, () => {
      const { baseline } = experiment(draws, designed);
      return covers(
        clusteredMean(baseline.map(({ tests, passed }) => ({ count: tests, sum: passed })))?.interval,
        rate,
      );
    });
    return { what: `clustered interval, ${named(designed)}: covers the rate`, share, experiments, aim: [0.93, 1] };
  };

const discordantMin = 10;

const pairedCoverage =
  (change: Partial<Design>): Scenario =>
  (draws, experiments) => {
    const designed = design(change);
    const { difference: real } = truth(designed);
    let [counted, covered] = [0, 0];
    for (let ran = 0; ran < experiments; ran++) {
      const { difference, changed } = experiment(draws, designed);
      if (changed < discordantMin) continue;
      counted++;
      covered += Number(covers(difference.passRate?.interval, real));
    }
    const what = `paired interval, ${named(designed)}, difference ${real.toFixed(2)}: covers it`;
    return { what, share: covered / counted, experiments: counted, aim: [0.93, 1] };
  };

/** Share of second experiments that find the smallest detectable difference of a first one. */
const power =
  (tasks: number): Scenario =>
  (draws, experiments) => {
    const sample = (mean: number) =>
      clusteredMean(Array.from({ length: tasks }, () => ({ count: 1, sum: mean + draws.normal() })));
    const share = measureShare(experiments, () => {
      const detectable = smallestDetectable(sample(0)?.standardError ?? 0);
      const found = sample(detectable);
      return found !== undefined && found.value > 0 && (found.p ?? 1) < 0.05;
    });
    return {
      what: `the smallest detectable difference, ${tasks} tasks, normal: found`,
      share,
      experiments,
      aim: [0.75, 0.85],
    };
  };

export function measureShare(experiments: number, isSo: () => boolean): number {
  let count = 0;
  for (let ran = 0; ran < experiments; ran++) count += Number(isSo());
  return count / experiments;
}

const covers = (interval: { low: number; high: number } | undefined, value: number) =>
  interval !== undefined && interval.low <= value && value <= interval.high;

export const scenarios: readonly Scenario[] = [
  ...[{ tasks: 10 }, { rate: 0.5 }, {}, { rate: 0.95 }, { tasks: 200 }, { repeats: 5 }].map(falseAlarms),
  ...[1, 3, 6].flatMap((evaluators) => [
    falseAlarmsOfFailingJudges(evaluators, [0.1, 0.1]),
    falseAlarmsOfFailingJudges(evaluators, [0, 0.1]),
  ]),
  falseAlarmsOfMany,
  ...[10, 20, 40, 100, 1_000].map(wilsonCoverage),
  ...[{ tasks: 30 }, { tasks: 30, rate: 0.5 }, { tasks: 100 }].map((change) =>
    clusteredCoverage({ ...change, repeats: 5 }),
  ),
  ...[
    { rate: 0.5 },
    { rate: 0.5, effect: 0.8 },
    { rate: 0.7, repeats: 5, effect: 0.8 },
    { tasks: 200, effect: -0.5 },
  ].map((change) => pairedCoverage({ tasks: 30, ...change })),
  ...[40, 100].map(power),
];
