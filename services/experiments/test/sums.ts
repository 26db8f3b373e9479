import type { TestDatabase } from "@ems/test-support";
import { countedRows, getColumns, type Rollup, rollups } from "@ems/test-support/rollups";
import { expect } from "vitest";

/** Expects every rollup of the application to equal a count of its rows; returns the number of rollup rows. */
export async function expectExactSums(database: Pick<TestDatabase, "sql">, applicationId: string): Promise<number[]> {
  const facts = await Promise.all(Object.values(rollups).map((rollup) => compare(database, rollup, applicationId)));
  expect(facts.filter(({ wrong, missing }) => wrong + missing > 0)).toEqual([]);
  return facts.map(({ rows }) => rows);
}

async function compare({ sql }: Pick<TestDatabase, "sql">, rollup: Rollup, applicationId: string) {
  const { table, columns, source } = rollup;
  const names = getColumns(rollup).join(", ");
  const sums = columns.filter((column) => !/_min$|_max$|_at$/.test(column));
  const isThere = `(${sums.join(", ")}) <> (${sums.map(() => 0).join(", ")})`;
  const stored = `SELECT ${names} FROM ${table} WHERE application_id = $1 AND ${isThere}`;
  const ours = `(SELECT * FROM ${source} WHERE application_id = $1)`;
  const counted = `SELECT * FROM (${countedRows(rollup, `${ours}`)}) c (${names}) WHERE ${isThere}`;
  const [facts] = await sql<{ rows: number; wrong: number; missing: number }>(
    `SELECT (SELECT count(*)::int FROM (${stored}) a) AS rows,
      (SELECT count(*)::int FROM (${stored} EXCEPT ${counted}) b) AS wrong,
      (SELECT count(*)::int FROM (${counted} EXCEPT ${stored}) c) AS missing`,
    [applicationId],
  );
  return { table, rows: 0, wrong: -1, missing: -1, ...facts };
}
