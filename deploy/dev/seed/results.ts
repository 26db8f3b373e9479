// Creates a year of test results: a run every week, an experiment every fourth week, a manual run after a bad week, and
// in the last weeks nightly runs whose tests have the assistant's answers as traces.

import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { EvaluationStatus } from "@ems/proto/experiments/v1/evaluation";
import { ResultStatus, RunType } from "@ems/proto/experiments/v1/run";
import { TestService } from "@ems/proto/experiments/v1/test_service";
import * as bank from "./bank.ts";
import type { Catalog, SeedTask } from "./catalog.ts";
import { answerTo, evaluateAnswer, type SeedAnswer } from "./judgements.ts";
import { type Plan, weeks } from "./plan.ts";
import type { Random } from "./random.ts";
import { buildTrace, storeTraces } from "./traces.ts";

const [hourMs, dayMs, weekMs] = [3_600_000, 86_400_000, 604_800_000];
/** Week in which the assistant's search is down for some hours, so that tests fail. */
const outageWeek = 23;
/** Number of weeks, at the end of the year, with nightly runs. */
const nightlyWeeks = 5;

interface PlannedRun {
  readonly type: RunType;
  readonly title: string;
  readonly startMs: number;
  readonly tests: number;
  /** Amount by which the assistant's quality is better than usual in this run. */
  readonly lift: number;
}

/** Creates runs with their tests and evaluations. Each is recorded at the time at which it was completed. */
export async function fillResults(plan: Plan, catalog: Catalog): Promise<void> {
  for (let week = 0; week < weeks; week++) {
    for (const run of planRuns(plan, week)) await fillRun(plan, catalog, run, week);
    plan.step(`${week + 1} of ${weeks} weeks of results`);
  }
}

async function fillRun(plan: Plan, catalog: Catalog, run: PlannedRun, week: number): Promise<void> {
  const results = plan.caller.client(TestService);
  const existing = catalog.tasks.filter(({ createdAt }) => createdAt.getTime() < run.startMs);
  if (existing.length === 0 || run.startMs > plan.until.getTime()) return;
  const made = plan.random
    .some(existing, run.tests)
    .map((task, at) => newTest(plan.random, catalog, { run, week, task, at }));
  plan.goTo(new Date(Math.min(plan.until.getTime(), run.startMs + hourMs * 12)));
  const { type, title } = run;
  const tests = made.map(({ test }) => test);
  const { testIds } = await results.recordResults({ run: { type, title }, tests }, plan.caller.options);
  if (week < weeks - nightlyWeeks) return;
  const traces = made.flatMap(({ test, task, answer }, at) => {
    const [testId, { topic, question }] = [testIds[at], task];
    if (answer === undefined || testId === undefined) return [];
    const startedAt = timestampDate(test.createdAt);
    return [buildTrace(plan, { topic, question, answer: answer.text, startedAt, testId })];
  });
  await storeTraces(plan, traces);
}

function planRuns({ random, size, until }: Plan, week: number): PlannedRun[] {
  const startMs = until.getTime() - (weeks - week) * weekMs + 3 * hourMs;
  const weekly = {
    type: RunType.SCHEDULED,
    title: `Weekly regression, week ${week + 1}`,
    startMs,
    tests: size.testsPerWeek,
    lift: 0,
  };
  const experiment = bank.experiments[Math.floor(week / 4) % bank.experiments.length];
  const tried = {
    type: RunType.EXPERIMENT,
    title: experiment?.title ?? "Experiment",
    startMs: startMs + 2 * dayMs + 7 * hourMs,
    tests: Math.ceil(size.testsPerWeek / 3),
    lift: random.int(-4, 8) / 100,
  };
  const retry = {
    type: RunType.MANUAL,
    title: "After the outage",
    startMs: startMs + 3 * dayMs + 11 * hourMs,
    tests: Math.ceil(size.testsPerWeek / 4),
    lift: 0,
  };
  const nights = Array.from({ length: 7 }, (_, day) => ({
    type: RunType.SCHEDULED,
    title: "Nightly check",
    startMs: startMs + day * dayMs - 2 * hourMs,
    tests: size.testsPerNight,
    lift: 0,
  }));
  return [
    weekly,
    ...(week % 4 === 3 ? [tried] : []),
    ...(week === outageWeek ? [retry] : []),
    ...(week >= weeks - nightlyWeeks ? nights : []),
  ];
}

interface Place {
  readonly run: PlannedRun;
  readonly week: number;
  readonly task: SeedTask;
  /** Index of the test within its run. */
  readonly at: number;
}

export function newTest(random: Random, { definitions }: Catalog, { run, week, task, at }: Place) {
  const createdAt = timestampFromDate(new Date(run.startMs + at * 9_000 + random.int(0, 8_000)));
  const isOut = week === outageWeek && run.type === RunType.SCHEDULED;
  if (random.boolean(isOut ? 0.35 : 0.015)) return { task, test: failedTest(task, createdAt) };
  const answer = answerTo(random, task, getLevel(task, week) + run.lift);
  const evaluations = definitions
    .filter(({ topicIds }) => topicIds === undefined || topicIds.has(task.topicId))
    .map((definition) => evaluation(random, task, definition, answer));
  const test = {
    taskId: task.id,
    createdAt,
    durationMs: random.int(600, 2_400) + (random.boolean(0.03) ? random.int(3_000, 20_000) : 0),
    ...summary(evaluations),
    evaluations,
  };
  return { task, answer, test };
}

function failedTest({ id }: SeedTask, createdAt: Timestamp) {
  return { taskId: id, createdAt, status: ResultStatus.FAILED };
}

function evaluation(random: Random, task: SeedTask, definition: Catalog["definitions"][number], answer: SeedAnswer) {
  const definitionId = definition.id;
  if (random.boolean(0.004)) {
    const message = "model_error: The model answered 503 to every attempt.";
    return { definitionId, status: EvaluationStatus.FAILED, message };
  }
  return { definitionId, type: definition.type, ...evaluateAnswer(random, task, definition, answer) };
}

/** Averages evaluations like the product, which first scales scores from 1 to 5 to the range 0 to 1. */
function summary(evaluations: readonly ReturnType<typeof evaluation>[]) {
  const scores = evaluations.flatMap((each) => {
    if (!("score" in each)) return [];
    return [each.type === "NATURALNESS" || each.type === "STYLE" ? (each.score - 1) / 4 : each.score];
  });
  if (scores.length === 0) return {};
  const score = scores.reduce((sum, each) => sum + each, 0) / scores.length;
  return {
    score: Math.round(score * 1e4) / 1e4,
    passed: evaluations.every((each) => "passed" in each && each.passed),
  };
}

/** Returns the quality, which grows over the year with a setback in spring. Every 4th topic and 7th task is hard. */
function getLevel({ topicNumber, number }: SeedTask, week: number): number {
  const growth = (0.14 * week) / weeks;
  const stepBack = week >= 18 && week < 26 ? 0.09 : 0;
  const hardTopic = topicNumber % 4 === 1 ? 0.1 : 0;
  const hardTask = number % 7 === 3 ? 0.12 : 0;
  return 0.8 + growth - stepBack - hardTopic - hardTask;
}
