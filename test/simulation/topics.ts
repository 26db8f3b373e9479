// Topics with live traffic that is checked daily: frequency of false alarms, and days until a real regression is found.

import { type Day, daysBefore, daysRead, findRegression } from "@ems/experiments/regressions";
import type { Draws } from "./random.ts";
import type { Row, Scenario } from "./scenarios.ts";

/** Number of experiments in other rows per simulated topic. */
const experimentsPerTopic = 40;
const unchangedDays = 90;
const foundWithinDays = 5;

interface Traffic {
  /** Tests per day. */
  readonly tests: number;
  readonly rate: number;
}

const day = (draws: Draws, { tests, rate }: Traffic): Day => ({ total: tests, passed: draws.passes(tests, rate) });
const countTopics = (experiments: number) => Math.ceil(experiments / experimentsPerTopic);

/** Checks unchanged traffic for 90 days after the first 28: any alarm is false. */
const falseAlarm =
  (traffic: Traffic): Scenario =>
  (draws, experiments): Row => {
    const topics = countTopics(experiments);
    let alarmed = 0;
    for (let topic = 0; topic < topics; topic++) {
      const history = Array.from({ length: daysBefore + unchangedDays }, () => day(draws, traffic));
      const looks = history.map((_, at) => history.slice(Math.max(0, at + 1 - daysRead), at + 1));
      alarmed += Number(looks.some((look) => findRegression(look) !== undefined));
    }
    const what = `${unchangedDays} days of ${traffic.tests} tests at ${traffic.rate}, looked at daily: any alarm`;
    return { what, share: alarmed / topics, experiments: topics, aim: [0, 0.07] };
  };

/** Checks a regression after 28 even days. */
const found =
  (before: Traffic, rate: number): Scenario =>
  (draws, experiments): Row => {
    const topics = countTopics(experiments);
    let seen = 0;
    for (let topic = 0; topic < topics; topic++) {
      const even = Array.from({ length: daysBefore }, () => day(draws, before));
      const fallen = Array.from({ length: foundWithinDays }, () => day(draws, { ...before, rate }));
      seen += Number(fallen.some((_, at) => findRegression([...even, ...fallen.slice(0, at + 1)]) !== undefined));
    }
    const what = `from ${before.rate} to ${rate} at ${before.tests} tests a day: found within ${foundWithinDays} days`;
    return { what, share: seen / topics, experiments: topics, aim: [0.9, 1] };
  };

export const topicScenarios: readonly Scenario[] = [
  ...[
    { tests: 100, rate: 0.85 },
    { tests: 100, rate: 0.5 },
    { tests: 100, rate: 0.99 },
    { tests: 10, rate: 0.9 },
    { tests: 1_000, rate: 0.85 },
  ].map(falseAlarm),
  found({ tests: 100, rate: 0.85 }, 0.7),
];
