// Expected rollups of experiments, by SQL over the rows: the reference for the service's own sums, and for tests that insert
// rows by SQL.

/** Placeholder of a missing topic in a key. */
const noTopic = "00000000-0000-0000-0000-000000000000";

const day = "(r.created_at AT TIME ZONE 'UTC')::date";
const topic = `coalesce(r.topic_id, '${noTopic}')`;
/** SQL of results without the verdict that was due. They count in no rate and no mean. */
const errored = {
  test: "(r.status = 'FAILED' OR r.error_cause IS NOT NULL)",
  evaluation: "(r.status = 'FAILED')",
} as const;
type Kind = keyof typeof errored;

// In quarters of millionths, so that (score - 1) / 4 of a score from 1 to 5 is an integer.
const quarterScore = `CASE WHEN r.definition_type IN ('NATURALNESS', 'STYLE') THEN r.score_micro - 1000000
  ELSE 4 * r.score_micro END`;
// Scores outside their scale are in no sum; tests have no definition type.
const testScore = "CASE WHEN r.score_micro BETWEEN 0 AND 1000000 THEN r.score_micro END";
const evaluationScore = `CASE WHEN r.definition_type IN ('NATURALNESS', 'STYLE')
  THEN CASE WHEN r.score_micro BETWEEN 1000000 AND 5000000 THEN r.score_micro END ELSE ${testScore} END`;
const scaledQuarters = `CASE WHEN ${evaluationScore} IS NOT NULL THEN ${quarterScore} END`;
const countErrored = (kind: Kind) => `count(*) FILTER (WHERE ${errored[kind]})`;
const getPassCounts = (kind: Kind, where = "true") =>
  `count(r.passed) FILTER (WHERE NOT ${errored[kind]} AND ${where}), count(*) FILTER (WHERE NOT ${errored[kind]} AND r.passed AND ${where})`;
const onScale = { test: testScore, evaluation: evaluationScore } as const;
const getScoreSums = (kind: Kind) => getAggregates(`CASE WHEN NOT ${errored[kind]} THEN ${onScale[kind]} END`);
const getAggregates = (column: string) =>
  `count(${column}), coalesce(sum(${column}), 0), min(${column}), max(${column})`;

const countColumns = ["rows", "passed_rows", "passed_true"];
const sumColumns = (of: string) => [`${of}_rows`, `${of}_sum`, `${of}_min`, `${of}_max`];

const getCounted = (kind: Kind) =>
  `count(*) FILTER (WHERE r.status = 'COMPLETED' AND NOT ${errored[kind]} AND r.passed IS NOT NULL)`;
const getPassed = (kind: Kind) =>
  `count(*) FILTER (WHERE r.status = 'COMPLETED' AND NOT ${errored[kind]} AND r.passed)`;
const getScores = (
  kind: Kind,
  score: string,
) => `count(${score}) FILTER (WHERE r.status = 'COMPLETED' AND NOT ${errored[kind]}),
  coalesce(sum(${score}) FILTER (WHERE r.status = 'COMPLETED' AND NOT ${errored[kind]}), 0)`;

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
  aggregates: `count(*), ${getPassCounts("test")}, ${countErrored("test")}, ${getScoreSums("test")}, ${getAggregates("r.duration_ms")}`,
  columns: [...countColumns, "errored", ...sumColumns("score"), ...sumColumns("duration")],
};

const evaluationDay: Rollup = {
  table: "experiments.evaluation_day",
  source: "experiments.evaluation",
  key: ["application_id", "day", "topic_id", "definition_id", "definition_type", "status"],
  groups: ["r.application_id", day, topic, "r.definition_id", "r.definition_type", "r.status"],
  aggregates: `count(*), ${getPassCounts("evaluation")}, ${getScoreSums("evaluation")}`,
  columns: [...countColumns, ...sumColumns("score")],
};

/** Experiments try variants, so that their results are no measure of the application in use. */
const notOfExperiment = "r.run_type <> 'EXPERIMENT'";

const taskStat: Rollup = {
  table: "experiments.task_stat",
  source: "experiments.test",
  key: ["application_id", "task_id"],
  groups: ["r.application_id", "r.task_id"],
  aggregates: `count(*), ${getPassCounts("test", notOfExperiment)},
    count(*) FILTER (WHERE ${errored.test} AND ${notOfExperiment}), max(r.created_at)`,
  columns: ["tests", "passed_rows", "passed_true", "errored", "last_test_at"],
};

const taskRunType: Rollup = {
  table: "experiments.task_run_type",
  source: "experiments.test",
  key: ["application_id", "task_id", "run_type"],
  groups: ["r.application_id", "r.task_id", "r.run_type"],
  aggregates: `count(*), ${getPassCounts("test")}, ${countErrored("test")}, max(r.created_at)`,
  columns: ["tests", "passed_rows", "passed_true", "errored", "last_test_at"],
};

/** Number or sum of the scores of judged tests' evaluations. */
const sumOfEvaluations = (aggregate: string) =>
  `coalesce(sum((SELECT ${aggregate}(${scaledQuarters.replaceAll("r.", "e.")}) FILTER (WHERE e.status = 'COMPLETED')
    FROM experiments.evaluation e WHERE e.application_id = r.application_id AND e.test_id = r.id AND e.replaced_by IS NULL
  )) FILTER (WHERE NOT ${errored.test}), 0)`;

const runStat: Rollup = {
  table: "experiments.run_stat",
  source: "experiments.test",
  key: ["application_id", "run_id"],
  groups: ["r.application_id", "r.run_id"],
  aggregates: `count(*), count(*) FILTER (WHERE r.status IN ('COMPLETED', 'FAILED')), ${getCounted("test")}, ${getPassed("test")},
    ${countErrored("test")}, ${getScores("test", testScore)},
    ${["count", "sum"].map(sumOfEvaluations).join(", ")}`,
  columns: [
    ...["tests", "ended", "counted", "passed", "errored", "score_rows", "score_sum"],
    ...["evaluation_score_rows", "evaluation_score_sum"],
  ],
};

const runDefinition: Rollup = {
  table: "experiments.run_definition",
  source: "experiments.evaluation",
  key: ["application_id", "run_id", "definition_id", "definition_type"],
  groups: ["r.application_id", "r.run_id", "r.definition_id", "r.definition_type"],
  aggregates: `${getCounted("evaluation")}, ${getPassed("evaluation")}, ${countErrored("evaluation")},
    ${getScores("evaluation", scaledQuarters)}`,
  columns: ["counted", "passed", "errored", "score_rows", "score_sum"],
};

const taskDay: Rollup = {
  table: "experiments.task_day",
  hasOrganisation: false,
  source: "experiments.test",
  key: ["application_id", "task_id", "day", "is_monitoring"],
  groups: ["r.application_id", "r.task_id", day, "r.run_type = 'MONITORING'"],
  aggregates: `${getCounted("test")}, ${getPassed("test")}, ${countErrored("test")}`,
  columns: ["tests", "tests_passed", "errored"],
};

const isMonitoring = `coalesce((SELECT run.type = 'MONITORING' FROM experiments.run run
  WHERE run.application_id = r.application_id AND run.id = r.run_id), false)`;
const scored = `${evaluationScore} IS NOT NULL AND r.status = 'COMPLETED' AND r.passed IS NOT NULL`;

const taskDefinitionDay: Rollup = {
  table: "experiments.task_definition_day",
  hasOrganisation: false,
  source: "experiments.evaluation",
  key: ["application_id", "task_id", "definition_id", "day", "is_monitoring"],
  groups: ["r.application_id", "r.task_id", "r.definition_id", day, isMonitoring],
  aggregates: `${getCounted("evaluation")}, ${getPassed("evaluation")}, ${countErrored("evaluation")}, count(*) FILTER (WHERE ${scored}),
    coalesce(sum(${quarterScore}) FILTER (WHERE ${scored}), 0),
    coalesce(sum((${quarterScore})::numeric * (${quarterScore})) FILTER (WHERE ${scored}), 0)`,
  columns: ["evaluations", "evaluations_passed", "errored", "scores", "score_sum", "score_squares"],
};

export const rollups = {
  testDay,
  evaluationDay,
  taskStat,
  taskRunType,
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
