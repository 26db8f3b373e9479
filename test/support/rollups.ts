// Expected rollups of experiments, by SQL over the rows: the reference for the service's own sums, and for tests that insert
// rows by SQL.

/** Placeholder of a missing topic in a key. */
const noTopic = "00000000-0000-0000-0000-000000000000";

const day = "(r.created_at AT TIME ZONE 'UTC')::date";
const topic = `coalesce(r.topic_id, '${noTopic}')`;
const counts = "count(*), count(r.passed), count(*) FILTER (WHERE r.passed)";
const getAggregates = (column: string) =>
  `count(${column}), coalesce(sum(${column}), 0), min(${column}), max(${column})`;

const countColumns = ["rows", "passed_rows", "passed_true"];
const sumColumns = (of: string) => [`${of}_rows`, `${of}_sum`, `${of}_min`, `${of}_max`];

// In quarters of millionths, so that (score - 1) / 4 of a score from 1 to 5 is an integer.
const quarterScore = `CASE WHEN r.definition_type IN ('NATURALNESS', 'STYLE') THEN r.score_micro - 1000000
  ELSE 4 * r.score_micro END`;
// Scores outside their scale are in no sum; tests have no definition type.
const testScore = "CASE WHEN r.score_micro BETWEEN 0 AND 1000000 THEN r.score_micro END";
const evaluationScore = `CASE WHEN r.definition_type IN ('NATURALNESS', 'STYLE')
  THEN CASE WHEN r.score_micro BETWEEN 1000000 AND 5000000 THEN r.score_micro END ELSE ${testScore} END`;
const scaledQuarters = `CASE WHEN ${evaluationScore} IS NOT NULL THEN ${quarterScore} END`;
/** Results that count in rates; failed ones did not pass. */
const counted = "count(*) FILTER (WHERE r.status = 'FAILED' OR (r.status = 'COMPLETED' AND r.passed IS NOT NULL))";
const passed = "count(*) FILTER (WHERE r.status = 'COMPLETED' AND r.passed)";
const getScores = (score: string) => `count(${score}) FILTER (WHERE r.status = 'COMPLETED'),
  coalesce(sum(${score}) FILTER (WHERE r.status = 'COMPLETED'), 0)`;

export interface Rollup {
  readonly table: string;
  /** False if its rows have no organization. */
  readonly hasOrganisation?: false;
  /** The aggregated table. */
  readonly source: "experiments.test" | "experiments.evaluation";
  readonly key: readonly string[];
  /** SQL of the key's columns, over a result `r`. */
  readonly groups: readonly string[];
  /** SQL of the other columns. */
  readonly aggregates: string;
  readonly columns: readonly string[];
}

const testDay: Rollup = {
  table: "experiments.test_day",
  source: "experiments.test",
  key: ["application_id", "day", "topic_id", "run_type", "status"],
  groups: ["r.application_id", day, topic, "r.run_type", "r.status"],
  aggregates: `${counts}, ${getAggregates(testScore)}, ${getAggregates("r.duration_ms")}`,
  columns: [...countColumns, ...sumColumns("score"), ...sumColumns("duration")],
};

const evaluationDay: Rollup = {
  table: "experiments.evaluation_day",
  source: "experiments.evaluation",
  key: ["application_id", "day", "topic_id", "definition_id", "definition_type", "status"],
  groups: ["r.application_id", day, topic, "r.definition_id", "r.definition_type", "r.status"],
  aggregates: `${counts}, ${getAggregates(evaluationScore)}`,
  columns: [...countColumns, ...sumColumns("score")],
};

const taskStat: Rollup = {
  table: "experiments.task_stat",
  source: "experiments.test",
  key: ["application_id", "task_id"],
  groups: ["r.application_id", "r.task_id"],
  aggregates: `${counts}, max(r.created_at)`,
  columns: ["tests", "passed_rows", "passed_true", "last_test_at"],
};

const runStat: Rollup = {
  table: "experiments.run_stat",
  source: "experiments.test",
  key: ["application_id", "run_id"],
  groups: ["r.application_id", "r.run_id"],
  aggregates: `count(*), count(*) FILTER (WHERE r.status IN ('COMPLETED', 'FAILED')), ${counted}, ${passed},
    ${getScores(testScore)}`,
  columns: ["tests", "ended", "counted", "passed", "score_rows", "score_sum"],
};

const runDefinition: Rollup = {
  table: "experiments.run_definition",
  source: "experiments.evaluation",
  key: ["application_id", "run_id", "definition_id", "definition_type"],
  groups: ["r.application_id", "r.run_id", "r.definition_id", "r.definition_type"],
  aggregates: `${counted}, ${passed}, ${getScores(`(${scaledQuarters})`)}`,
  columns: ["counted", "passed", "score_rows", "score_sum"],
};

const taskDay: Rollup = {
  table: "experiments.task_day",
  hasOrganisation: false,
  source: "experiments.test",
  key: ["application_id", "task_id", "day", "is_monitoring"],
  groups: ["r.application_id", "r.task_id", day, "r.run_type = 'MONITORING'"],
  aggregates: `${counted}, ${passed}`,
  columns: ["tests", "tests_passed"],
};

const isMonitoring = `coalesce((SELECT run.type = 'MONITORING' FROM experiments.run run
  WHERE run.application_id = r.application_id AND run.id = r.run_id), false)`;
const scored = `${evaluationScore} IS NOT NULL AND (r.status = 'FAILED' OR (r.status = 'COMPLETED' AND r.passed IS NOT NULL))`;

const taskDefinitionDay: Rollup = {
  table: "experiments.task_definition_day",
  hasOrganisation: false,
  source: "experiments.evaluation",
  key: ["application_id", "task_id", "definition_id", "day", "is_monitoring"],
  groups: ["r.application_id", "r.task_id", "r.definition_id", day, isMonitoring],
  aggregates: `${counted}, ${passed}, count(*) FILTER (WHERE ${scored}),
    coalesce(sum(${quarterScore}) FILTER (WHERE ${scored}), 0),
    coalesce(sum((${quarterScore})::numeric * (${quarterScore})) FILTER (WHERE ${scored}), 0)`,
  columns: ["evaluations", "evaluations_passed", "scores", "score_sum", "score_squares"],
};

export const rollups = {
  testDay,
  evaluationDay,
  taskStat,
  runStat,
  runDefinition,
  taskDay,
  taskDefinitionDay,
} as const;

/** Rows of the rollup computed from its source, or from a table with the same columns. */
export function countedRows({ source, hasOrganisation, groups, aggregates }: Rollup, rows: string = source): string {
  const grouped = [...groups, ...(hasOrganisation === false ? [] : ["r.org_id"])];
  const current = source === "experiments.evaluation" ? `(SELECT * FROM ${rows} e WHERE e.replaced_by IS NULL)` : rows;
  return `SELECT ${grouped.join(", ")}, ${aggregates} FROM ${current} r GROUP BY ${grouped.map((_, index) => index + 1)}`;
}

export function getColumns({ key, hasOrganisation, columns }: Rollup): string[] {
  return [...key, ...(hasOrganisation === false ? [] : ["org_id"]), ...columns];
}

/** Adds the rows of `source`, a table or a WITH query of results, to the rollup. */
export function addTo(rollup: Rollup, source: string): string {
  const { table, key, columns } = rollup;
  return `INSERT INTO ${table} AS stored (${getColumns(rollup).join(", ")}) ${countedRows(rollup, source)}
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${columns.map(addition).join(", ")}`;
}

/** greatest and least ignore null. */
function addition(column: string): string {
  if (column.endsWith("_min")) return `${column} = least(stored.${column}, excluded.${column})`;
  if (column.endsWith("_max") || column === "last_test_at")
    return `${column} = greatest(stored.${column}, excluded.${column})`;
  return `${column} = stored.${column} + excluded.${column}`;
}
