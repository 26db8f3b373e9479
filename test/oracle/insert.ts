// Inserts a model as the superuser, and computes its rollups.

import type { TestDatabase } from "@ems/test-support";
import type { ReferenceModel } from "./reference-model.ts";

export async function insertModel({ sql }: TestDatabase, tables: ReferenceModel["tables"]): Promise<void> {
  for (const [table, rows] of Object.entries(tables)) {
    const first = rows[0];
    if (first === undefined) continue;
    const columns = Object.keys(storedRow(first));
    const json = rows.map(storedRow);
    await sql(
      `INSERT INTO ${table} (${columns.join(", ")})
       SELECT ${columns.join(", ")} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
      [JSON.stringify(json)],
    );
  }
}

/** Converts a row's field names to column names. */
export function storedRow(row: object): Record<string, unknown> {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.endsWith("At") && typeof value === "number" ? new Date(value).toISOString() : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Permits documents without a version, and results of any time: the product creates recent partitions only. */
export const unboundedTables = `
  ALTER TABLE catalog.document DROP CONSTRAINT document_active_version_fkey;
  CREATE TABLE experiments.test_any PARTITION OF experiments.test DEFAULT;
  CREATE TABLE experiments.evaluation_any PARTITION OF experiments.evaluation DEFAULT;`;

const rollupColumns = (columns: string) => `count(passed), count(*) FILTER (WHERE passed), ${columns}`;
const getRollupColumns = (column: string) =>
  `count(${column}), coalesce(sum(${column}), 0), min(${column}), max(${column})`;
const none = "'00000000-0000-0000-0000-000000000000'";

/** Computes the rollups that the experiments service maintains. */
export const computeRollups = `
  INSERT INTO experiments.test_day (application_id, org_id, day, topic_id, run_type, status, rows, passed_rows,
    passed_true, score_rows, score_sum, score_min, score_max, duration_rows, duration_sum, duration_min, duration_max)
  SELECT application_id, org_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(topic_id, ${none}), run_type, status,
    count(*), ${rollupColumns(`${getRollupColumns("score_micro")}, ${getRollupColumns("duration_ms")}`)}
  FROM experiments.test GROUP BY 1, 2, 3, 4, 5, 6;
  INSERT INTO experiments.evaluation_day (application_id, org_id, day, topic_id, definition_id, definition_type, status,
    rows, passed_rows, passed_true, score_rows, score_sum, score_min, score_max)
  SELECT application_id, org_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(topic_id, ${none}), definition_id,
    definition_type, status, count(*), ${rollupColumns(getRollupColumns("score_micro"))}
  FROM experiments.evaluation WHERE replaced_by IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7;
  INSERT INTO experiments.task_stat (application_id, org_id, task_id, tests, passed_rows, passed_true, last_test_at)
  SELECT application_id, org_id, task_id, count(*), ${rollupColumns("max(created_at)")}
  FROM experiments.test GROUP BY 1, 2, 3;
  ANALYZE;`;
