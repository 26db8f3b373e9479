// Reads sums per task and day for the last 30 days, from views of experiments.

import type { Database } from "@ems/kit/db/database";
import type { Call } from "@ems/kit/rpc/call";
import { noSums, type Sums } from "./metrics.ts";

/** Sums of results, separately for MONITORING runs and for all others. */
export interface BucketSums {
  readonly monitoring: Sums;
  readonly synthetic: Sums;
}

/** A row from pg, which returns sums of scores as text: they may exceed a JavaScript number. */
interface SumsRow extends Omit<Sums, "scoreSum" | "scoreSquares"> {
  readonly isMonitoring: boolean;
  readonly scoreSum: string;
  readonly scoreSquares: string;
}

interface TaskSumsRow extends SumsRow {
  readonly taskId: string;
}

interface DefinitionSumsRow extends SumsRow {
  readonly definitionId: string;
  readonly name: string;
}

/** Sums of a task's results by one definition. */
export interface DefinitionSums {
  readonly definitionId: string;
  readonly name: string;
  readonly sums: Sums;
}

/** SQL condition for the days that the measures cover, including today. */
const isRecent = "day > (now() AT TIME ZONE 'UTC')::date - 30";

const sums = (tests: string, testsPassed: string, errored: string) => `sum(${tests})::float8 AS tests,
  sum(${testsPassed})::float8 AS "testsPassed", sum(evaluations)::float8 AS evaluations,
  sum(evaluations_passed)::float8 AS "evaluationsPassed", sum(scores)::float8 AS scores, sum(score_sum) AS "scoreSum",
  sum(score_squares) AS "scoreSquares", sum(${errored})::float8 AS errored`;

const sumsOfTasks = `SELECT task_id AS "taskId", is_monitoring AS "isMonitoring", ${sums("tests", "tests_passed", "errored")}
  FROM reporting.task_day_v1 WHERE application_id = $1 AND task_id = ANY ($2::uuid[]) AND ${isRecent} GROUP BY 1, 2`;

const sumsOfDefinitions = `SELECT definition.id AS "definitionId", definition.name, is_monitoring AS "isMonitoring",
    ${sums("evaluations", "evaluations_passed", "errored")}
  FROM reporting.task_definition_day_v1 summed
  JOIN catalog.eval_definition definition
    ON definition.application_id = summed.application_id AND definition.id = summed.definition_id
  WHERE summed.application_id = $1 AND summed.task_id = $2 AND ${isRecent}
  GROUP BY definition.id, definition.name, definition.created_at, is_monitoring HAVING sum(evaluations) > 0
  ORDER BY definition.created_at, definition.id`;

/** Returns the sums by task id. Omits tasks without recent results. */
export async function bucketSumsOfTasks(
  database: Database,
  call: Call,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, BucketSums>> {
  if (taskIds.length === 0) return new Map();
  const values = [call.tenant.applicationId, taskIds];
  const rows = await database.read<TaskSumsRow>(call, { name: "sums-of-tasks", text: sumsOfTasks, values });
  const byTask = Map.groupBy(rows, ({ taskId }) => taskId);
  return new Map([...byTask].map(([id, ofTask]) => [id, toBuckets(ofTask)]));
}

function toBuckets(rows: readonly SumsRow[]): BucketSums {
  const sumsIn = (isMonitoring: boolean) => {
    const row = rows.find((row) => row.isMonitoring === isMonitoring);
    return row === undefined ? noSums : toSums(row);
  };
  return { monitoring: sumsIn(true), synthetic: sumsIn(false) };
}

/** Returns a task's sums by definition, oldest definition first. */
export async function sumsByDefinition(
  database: Database,
  call: Call,
  taskId: string,
): Promise<{ readonly monitoring: DefinitionSums[]; readonly synthetic: DefinitionSums[] }> {
  const values = [call.tenant.applicationId, taskId];
  const rows = await database.read<DefinitionSumsRow>(call, { name: "sums-of-task", text: sumsOfDefinitions, values });
  const sumsIn = (isMonitoring: boolean) =>
    rows
      .filter((row) => row.isMonitoring === isMonitoring)
      .map((row) => ({ definitionId: row.definitionId, name: row.name, sums: toSums(row) }));
  return { monitoring: sumsIn(true), synthetic: sumsIn(false) };
}

function toSums({ scoreSum, scoreSquares, ...counts }: SumsRow): Sums {
  return { ...counts, scoreSum: BigInt(scoreSum), scoreSquares: BigInt(scoreSquares) };
}
