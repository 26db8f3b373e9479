// The sums over results: how they are made from rows, and how those of new rows are added to what is there. Kept by the
// transaction that adds the rows, they are exact at every moment. Keys come sorted, so that two calls wait for each other
// instead of locking up.

/** Where a missing topic stands in a key. */
const noTopic = "00000000-0000-0000-0000-000000000000";

const day = "(r.created_at AT TIME ZONE 'UTC')::date";
const topic = `coalesce(r.topic_id, '${noTopic}')`;
const counted = "count(*), count(r.passed), count(*) FILTER (WHERE r.passed)";
const summed = (column: string) => `count(${column}), coalesce(sum(${column}), 0), min(${column}), max(${column})`;

const countColumns = ["rows", "passed_rows", "passed_true"];
const sumColumns = (of: string) => [`${of}_rows`, `${of}_sum`, `${of}_min`, `${of}_max`];

interface Rollup {
  readonly table: string;
  readonly key: readonly string[];
  /** What the key's columns are made of, application apart. */
  readonly groups: readonly string[];
  readonly values: string;
  readonly columns: readonly string[];
}

const testDay: Rollup = {
  table: "experiments.test_day",
  key: ["application_id", "day", "topic_id", "run_type", "status"],
  groups: ["r.application_id", day, topic, "r.run_type", "r.status"],
  values: `${counted}, ${summed("r.score_micro")}, ${summed("r.duration_ms")}`,
  columns: [...countColumns, ...sumColumns("score"), ...sumColumns("duration")],
};

const evaluationDay: Rollup = {
  table: "experiments.evaluation_day",
  key: ["application_id", "day", "topic_id", "definition_id", "definition_type", "status"],
  groups: ["r.application_id", day, topic, "r.definition_id", "r.definition_type", "r.status"],
  values: `${counted}, ${summed("r.score_micro")}`,
  columns: [...countColumns, ...sumColumns("score")],
};

const taskStat: Rollup = {
  table: "experiments.task_stat",
  key: ["application_id", "task_id"],
  groups: ["r.application_id", "r.task_id"],
  values: `${counted}, max(r.created_at)`,
  columns: ["tests", "passed_rows", "passed_true", "last_test_at"],
};

export const rollups = { testDay, evaluationDay, taskStat } as const;

/** Adds the sums of the rows of `source`, a table or a WITH query of results, to the rollup. */
export function addTo({ table, key, groups, values, columns }: Rollup, source: string): string {
  const grouped = [...groups, "r.org_id"].join(", ");
  return `INSERT INTO ${table} AS kept (${[...key, "org_id", ...columns].join(", ")})
    SELECT ${grouped}, ${values} FROM ${source} r GROUP BY ${grouped} ORDER BY ${groups.join(", ")}
    ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${columns.map(sumOf).join(", ")}`;
}

/** The larger and the smaller of two take the one that is not null. */
function sumOf(column: string): string {
  if (column.endsWith("_min")) return `${column} = least(kept.${column}, excluded.${column})`;
  if (column.endsWith("_max") || column === "last_test_at")
    return `${column} = greatest(kept.${column}, excluded.${column})`;
  return `${column} = kept.${column} + excluded.${column}`;
}
