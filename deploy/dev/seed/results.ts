// A year of test results: a scheduled run every week, an experiment every fourth, and a manual run after a bad week.

import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import * as bank from "./bank.ts";
import type { Catalog, SeedTask } from "./catalog.ts";
import type { Plan } from "./plan.ts";
import type { Random } from "./random.ts";

const [hourMs, dayMs, weekMs] = [3_600_000, 86_400_000, 604_800_000];
/** The first Monday of the seed's year, at three in the morning. */
const firstWeekMs = Date.parse("2025-11-03T03:00:00Z");
const weeks = 52;
/** In this week the assistant's search was down for some hours. */
const outageWeek = 23;
/** Below this an evaluation has not passed. */
const passMark = 0.6;

interface PlannedRun {
  readonly type: RunType;
  readonly title: string;
  readonly startMs: number;
  readonly tests: number;
  /** How much better the assistant does in it than it usually does. */
  readonly lift: number;
}

/** Runs with their tests and evaluations, as recorded when each was over. */
export async function fillResults(plan: Plan, catalog: Catalog): Promise<void> {
  const results = plan.caller.client("experiments", TestService);
  for (let week = 0; week < weeks; week++) {
    for (const run of runsOf(plan, week)) {
      const existing = catalog.tasks.filter(({ createdAt }) => createdAt.getTime() < run.startMs);
      if (existing.length === 0) continue;
      const chosen = plan.random.some(existing, run.tests);
      const tests = chosen.map((task, at) => newTest(plan.random, catalog, { run, week, task, at }));
      plan.goTo(new Date(run.startMs + hourMs * 12));
      const { type, title } = run;
      await results.recordResults({ run: { type, title }, tests }, plan.caller.options);
    }
    plan.step(`${week + 1} of ${weeks} weeks of results`);
  }
}

function runsOf({ random, size }: Plan, week: number): PlannedRun[] {
  const mondayMs = firstWeekMs + week * weekMs;
  const weekly = {
    type: RunType.SCHEDULED,
    title: `Weekly regression, week ${week + 1}`,
    startMs: mondayMs,
    tests: size.testsPerWeek,
    lift: 0,
  };
  const experiment = bank.experiments[Math.floor(week / 4) % bank.experiments.length];
  const tried = {
    type: RunType.EXPERIMENT,
    title: experiment?.title ?? "Experiment",
    startMs: mondayMs + 2 * dayMs + 7 * hourMs,
    tests: Math.ceil(size.testsPerWeek / 3),
    lift: random.int(-4, 8) / 100,
  };
  const retry = {
    type: RunType.MANUAL,
    title: "After the outage",
    startMs: mondayMs + 3 * dayMs + 11 * hourMs,
    tests: Math.ceil(size.testsPerWeek / 4),
    lift: 0,
  };
  return [weekly, ...(week % 4 === 3 ? [tried] : []), ...(week === outageWeek ? [retry] : [])];
}

interface Place {
  readonly run: PlannedRun;
  readonly week: number;
  readonly task: SeedTask;
  /** Which test of the run it is. */
  readonly at: number;
}

function newTest(random: Random, { definitions }: Catalog, { run, week, task, at }: Place) {
  const createdAt = timestampFromDate(new Date(run.startMs + at * 9_000 + random.int(0, 8_000)));
  const isOut = week === outageWeek && run.type === RunType.SCHEDULED;
  if (random.boolean(isOut ? 0.35 : 0.015)) return { taskId: task.id, createdAt, status: ResultStatus.FAILED };
  const level = levelOf(task, week) + run.lift;
  const evaluations = definitions
    .filter(({ topicIds }) => topicIds === undefined || topicIds.has(task.topicId))
    .map(({ id, difficulty }) => {
      if (random.boolean(0.004)) return { definitionId: id, status: ResultStatus.FAILED };
      const score = scoreAround(random, level - difficulty);
      return { definitionId: id, score, passed: score >= passMark };
    });
  const scores = evaluations.flatMap(({ score }) => (score === undefined ? [] : [score]));
  return {
    taskId: task.id,
    createdAt,
    durationMs: random.int(600, 2_400) + (random.boolean(0.03) ? random.int(3_000, 20_000) : 0),
    ...(scores.length > 0 && {
      score: Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 1e4) / 1e4,
      passed: evaluations.every(({ passed }) => passed !== false),
    }),
    evaluations,
  };
}

/** The assistant gets better over the year, with a step back in spring; every fourth topic and every seventh task is hard. */
function levelOf({ topicNumber, number }: SeedTask, week: number): number {
  const growth = (0.14 * week) / weeks;
  const stepBack = week >= 18 && week < 26 ? 0.09 : 0;
  const hardTopic = topicNumber % 4 === 1 ? 0.1 : 0;
  const hardTask = number % 7 === 3 ? 0.12 : 0;
  return 0.8 + growth - stepBack - hardTopic - hardTask;
}

/** A score from 0 to 1 with four decimals, most of them near `level`. */
function scoreAround(random: Random, level: number): number {
  const spread = (random.int(-1_200, 1_200) + random.int(-1_200, 1_200)) / 10_000;
  return Math.round(Math.min(1, Math.max(0, level + spread)) * 1e4) / 1e4;
}
