// Sums that must agree with their rows.

import { countedRows, getColumns, type Rollup, rollups } from "@ems/test-support/rollups";
import type { FaultMesh } from "../harness/fault-mesh.ts";

type Sql = Pick<FaultMesh, "sql">;

/** Rollups that differ from a count of their rows. */
export async function inexactSums(mesh: Sql, applicationId: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const rollup of Object.values(rollups)) {
    if (await differs(mesh, rollup, applicationId)) wrong.push(rollup.table);
  }
  return wrong;
}

async function differs(mesh: Sql, rollup: Rollup, applicationId: string): Promise<boolean> {
  const { table, columns, source } = rollup;
  const names = getColumns(rollup).join(", ");
  const sums = columns.filter((column) => !/_min$|_max$|_at$/.test(column));
  const isThere = `(${sums.join(", ")}) <> (${sums.map(() => 0).join(", ")})`;
  const stored = `SELECT ${names} FROM ${table} WHERE application_id = $1 AND ${isThere}`;
  const rows = `(SELECT * FROM ${source} WHERE application_id = $1)`;
  const counted = `SELECT * FROM (${countedRows(rollup, rows)}) c (${names}) WHERE ${isThere}`;
  const query = `(${stored} EXCEPT ${counted}) UNION ALL (${counted} EXCEPT ${stored})`;
  return (await mesh.sql(query, [applicationId])).length > 0;
}

/** Millionths of a dollar: a month's certain and uncertain spend, its calls, and the costs of its evaluations. */
export interface Spending {
  readonly sum: number;
  readonly calls: number;
  readonly evaluations: number;
}

export async function spending(mesh: Sql, applicationId: string): Promise<Spending> {
  const readMicro = async (text: string) => (await mesh.sql<{ micro: number }>(text, [applicationId]))[0]?.micro ?? 0;
  return {
    sum: await readMicro(`SELECT coalesce(sum(cost_micro + uncertain_cost_micro), 0)::float8 AS micro FROM evaluation.spending
      WHERE application_id = $1 AND period = 'month'`),
    calls: await readMicro(`SELECT coalesce(sum(cost_micro), 0)::float8 AS micro FROM evaluation.model_call
      WHERE application_id = $1 AND is_reserved AND ended_at IS NOT NULL`),
    evaluations: await readMicro(`SELECT coalesce(sum(cost_micro), 0)::float8 AS micro FROM experiments.evaluation
      WHERE application_id = $1`),
  };
}
