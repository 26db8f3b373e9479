// Adopts databases created by the migrations that the baseline replaced. One from the last commit before the baseline
// has its schema: the baseline is recorded as done. Older ones must run that commit's migrations first.

import { readFileSync } from "node:fs";
import type { DataSource } from "typeorm";
import type { Schema } from "./schema.ts";

type Queries = Pick<DataSource, "query">;

/** The first migration of every schema. */
export const baselineName = "Baseline1765100000000";

/** Last commit that has the replaced migrations. CHANGELOG mentions it. */
export const baselineCommit = "9a05ed7c";

const baselineTime = parseTime(baselineName);

/** Returns the `names` that the baseline did not replace. Throws if the database is older than the baseline commit. */
export function currentNames({ name: schema, replaced }: Schema, names: readonly string[]): string[] {
  if (replaced === undefined) return [...names];
  const current = names.filter((name) => parseTime(name) >= baselineTime);
  if (names.length === 0 || current.length > 0 || names.includes(replaced.newest)) return current;
  throw new Error(
    `The schema ${schema} is older than commit ${baselineCommit}: it has no migration ${replaced.newest}. ` +
      "Run the migrations of that commit first. Nothing was changed.",
  );
}

/** Converts a backup's migration names: the baseline replaces those of the baseline commit. */
export function adoptedNames(schema: Schema, names: readonly string[]): string[] {
  const current = currentNames(schema, names);
  return names.length > 0 && current.length === 0 ? [baselineName] : current;
}

/**
 * Records the baseline as done in a database of the baseline commit, after comparing its tables with the dump that is
 * checked in. Returns true if it recorded the baseline.
 */
export async function adoptBaseline(database: Queries, schema: Schema, names: readonly string[]): Promise<boolean> {
  const { name, replaced } = schema;
  if (names.length === 0 || replaced === undefined || currentNames(schema, names).length > 0) return false;
  const found = await listColumns(database, name);
  const expected = dumpedColumns(readFileSync(replaced.dump, "utf8"));
  const faults = [
    ...expected.filter((column) => !found.includes(column)).map((column) => `lacks ${column}`),
    ...found.filter((column) => !expected.includes(column)).map((column) => `has ${column}`),
  ];
  if (faults.length > 0) {
    const more = faults.length > 5 ? `, and ${faults.length - 5} more` : "";
    throw new Error(
      `The schema ${name} differs from the one that the migrations of commit ${baselineCommit} create: it ${faults.slice(0, 5).join(", it ")}${more}. ` +
        "Undo the manual changes and run this again. Nothing was changed.",
    );
  }
  await database.query(`INSERT INTO ${name}.migration (timestamp, name) VALUES ($1, $2)`, [baselineTime, baselineName]);
  return true;
}

/** Lists columns as `table column type`, followed by NOT NULL if a column has it. */
async function listColumns(database: Queries, schema: string): Promise<string[]> {
  const rows = await database.query<{ line: string }[]>(
    `SELECT concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END) AS line
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = $1::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attnum > 0 AND NOT a.attisdropped AND c.relname !~ '^detached_'`,
    [schema],
  );
  return rows.map(({ line }) => line);
}

/** Lists the columns in a schema dump (schema.txt), in the form that `listColumns` returns. */
function dumpedColumns(dump: string): string[] {
  return dump.split("\n\n").flatMap((block) => {
    const [head = "", ...lines] = block.split("\n");
    const table = /^TABLE \w+\.(\w+)/.exec(head)?.[1];
    if (table === undefined) return [];
    return lines
      .filter((line) => /^ {2}[a-z]/.test(line))
      .map((line) => `${table} ${line.trim().replace(/ (DEFAULT|GENERATED) .*$/, "")}`);
  });
}

/** Parses the time at the end of a migration's name: thirteen digits, in milliseconds. */
function parseTime(name: string): number {
  return Number(name.slice(-13));
}
