// Inserts a model as the superuser, and computes its rollups.

import { readFileSync } from "node:fs";
import type { TestDatabase } from "@ems/test-support";
import { addTo, rollups } from "@ems/test-support/rollups";
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
    (name.endsWith("At") || name === "timestamp") && typeof value === "number" ? new Date(value).toISOString() : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

/** Permits documents without a version, and results of any time: the product creates recent partitions only. */
export const unboundedTables = `
  ALTER TABLE catalog.document DROP CONSTRAINT document_active_version_fkey;
  CREATE TABLE experiments.test_any PARTITION OF experiments.test DEFAULT;
  CREATE TABLE experiments.evaluation_any PARTITION OF experiments.evaluation DEFAULT;
  CREATE TABLE traces.trace_step_any PARTITION OF traces.trace_step DEFAULT;`;

/** The statements with which the migration computes the sums of stored steps. */
const fillStepDays = readFileSync(
  new URL("../../services/traces/src/migrations/create-step-days.sql", import.meta.url),
  "utf8",
)
  .split(";\n")
  .map((statement) =>
    statement.slice(statement.search(/^(INSERT INTO traces.step_day(_duration)? |ALTER TABLE \S+ (NO )?FORCE)/m)),
  )
  .filter((statement) => /^(INSERT|ALTER)/.test(statement))
  .join(";\n");

/** Computes the rollups that the experiments service maintains. */
export const computeRollups = [
  addTo(rollups.testDay, "experiments.test"),
  addTo(rollups.evaluationDay, "experiments.evaluation"),
  addTo(rollups.taskStat, "experiments.test"),
  addTo(rollups.taskRunType, "experiments.test"),
  fillStepDays,
  "ANALYZE",
].join(";\n");
