import { buildMessage } from "@ems/kit/message";
import type { Cluster } from "@ems/kit/statistics";
import { ComparisonSideSchema } from "@ems/proto/experiments/v1/comparison";
import type { EvaluationResultRow, TestResultRow, UsageRow } from "./rows.ts";
import { type Estimate, mean, passRate, type TaskResults, total } from "./task-results.ts";

/** Results of one run. */
export interface Side {
  readonly tests: readonly TestResultRow[];
  readonly evaluations: readonly EvaluationResultRow[];
  readonly usage: readonly UsageRow[];
}

/** Groups a side's rows by task. Scores come from the evaluations of judged tests, or from the tests. */
export function taskResults({ tests, evaluations }: Side, isScoredByEvaluations: boolean): TaskResults[] {
  if (!isScoredByEvaluations) return tests.map(toTaskResults);
  const ofTask = Map.groupBy(evaluations, ({ taskId }) => taskId);
  return tests.map((row) => ({ ...toTaskResults(row), scores: addScores(ofTask.get(row.taskId) ?? []) }));
}

export function toTaskResults(row: TestResultRow | EvaluationResultRow): TaskResults {
  const { taskId, tests, passed, errored, none } = row;
  return {
    taskId,
    tests,
    passed,
    errored,
    none,
    cause: getCause(row),
    scores: { count: row.scoreCount, sum: row.scoreSum },
  };
}

function getCause({ errored, erroredByApplication, erroredByConfiguration }: TestResultRow | EvaluationResultRow) {
  if (errored === 0) return undefined;
  if (erroredByApplication > 0) return "application";
  return erroredByConfiguration > 0 ? "configuration" : "judge";
}

/** Builds the API message of one side. */
export function buildSide(side: Side, tasks: readonly TaskResults[]) {
  const testsByTask = new Map(side.tests.map(({ taskId, tests }) => [taskId, tests]));
  const costs = Map.groupBy(
    side.evaluations.filter(({ judgeCost }) => judgeCost !== null),
    ({ taskId }) => taskId,
  );
  const judged = [...costs].map(([taskId, rows]) => ({
    count: testsByTask.get(taskId) ?? 0,
    sum: rows.reduce((sum, { judgeCost }) => sum + (judgeCost ?? 0), 0),
  }));
  const used = (of: (row: UsageRow) => number) =>
    estimate(mean(side.usage.map((row) => ({ count: row.tests, sum: of(row) }))));
  return buildMessage(ComparisonSideSchema, {
    ...counts(side.tests, tasks),
    cost: estimate(
      mean(side.usage.flatMap(({ cost, pricedTests }) => (cost === null ? [] : { count: pricedTests, sum: cost }))),
    ),
    tokens:
      side.usage.length === 0
        ? null
        : { input: used(({ inputTokens }) => inputTokens), output: used(({ outputTokens }) => outputTokens) },
    latencyMs: used(({ latencyMs }) => latencyMs),
    judgeCost: estimate(mean(judged)),
  });
}

/** Builds the API message of one side's evaluations by one definition. */
export function definitionSide(rows: readonly EvaluationResultRow[]) {
  const costs = rows.flatMap(({ tests, judgeCost }) => (judgeCost === null ? [] : [{ count: tests, sum: judgeCost }]));
  return buildMessage(ComparisonSideSchema, {
    ...counts(rows, rows.map(toTaskResults)),
    cost: null,
    tokens: null,
    latencyMs: null,
    judgeCost: estimate(mean(costs)),
  });
}

function counts(rows: readonly Pick<TestResultRow, "open">[], tasks: readonly TaskResults[]) {
  const [tests, passed, none] = [total(tasks, "tests"), total(tasks, "passed"), total(tasks, "none")];
  return {
    tests,
    passed,
    failed: tests - passed,
    errored: total(tasks, "errored"),
    none,
    uncounted: none + rows.reduce((sum, { open }) => sum + open, 0),
    passRate: estimate(passRate(tasks)),
    averageScore: estimate(mean(tasks.map(({ scores }) => scores))),
  };
}

const estimate = (found: Estimate | undefined) =>
  found === undefined ? null : { value: found.value, ...found.interval };

const addScores = (rows: readonly EvaluationResultRow[]): Cluster =>
  rows.reduce(({ count, sum }, row) => ({ count: count + row.judgedScoreCount, sum: sum + row.judgedScoreSum }), {
    count: 0,
    sum: 0,
  });
