// Statements that insert rows of a transfer.

import type { Statement } from "../batch.ts";
import { type DescribedTable, quote } from "./tables.ts";

export interface Owner {
  readonly applicationId: string;
  readonly orgId: string;
}

/** Begins the import, unless one has begun. */
export const beginStatement = (schema: string, { applicationId, orgId }: Owner, id: string): Statement => ({
  text: `INSERT INTO ${schema}.import (application_id, org_id, id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
    RETURNING id`,
  values: [applicationId, orgId, id],
});

/** Names the tables that have rows of the application. */
export const filledStatement = (
  schema: string,
  tables: readonly DescribedTable[],
  applicationId: string,
): Statement => ({
  text: tables
    .filter(({ content }) => content === "rows")
    .map(
      ({ table }) =>
        `SELECT '${table}' AS "table" WHERE EXISTS (SELECT FROM ${schema}.${table} WHERE application_id = $1)`,
    )
    .join(" UNION ALL "),
  values: [applicationId],
});

/** Creates the partitions of the rows. */
export function monthsStatement(schema: string, time: string, rows: readonly string[]): Statement {
  return {
    text: `SELECT ${schema}.add_months(ARRAY(
      SELECT DISTINCT (r.value ->> $2)::timestamptz::date FROM json_array_elements($1::json) r))`,
    values: [toArray(rows), time],
  };
}

/** Sets the parents of imported rows. */
export function linkStatement(
  schema: string,
  { table, key, parent = "" }: DescribedTable,
  { applicationId }: Owner,
  rows: readonly string[],
): Statement {
  const same = key.map(({ column }) => `t.${quote(column)} = r.${quote(column)}`).join(" AND ");
  return {
    text: `UPDATE ${schema}.${table} t SET ${quote(parent)} = r.${quote(parent)}
      FROM json_populate_recordset(NULL::${schema}.${table}, $2::json) r WHERE t.application_id = $1 AND ${same}`,
    values: [applicationId, toArray(rows)],
  };
}

/** Appends pieces to the long column of imported rows; pieces that a row has stay. */
export function appendStatement(
  schema: string,
  { table, key, long = "" }: DescribedTable,
  { applicationId }: Owner,
  rows: readonly string[],
): Statement {
  const columns = key.map(({ column }) => quote(column));
  const parts = [...key, { column: long, type: "bytea" }, { column: "transfer_offset", type: "integer" }];
  const same = columns.map((column) => `t.${column} = r.${column}`).join(" AND ");
  return {
    text: `UPDATE ${schema}.${table} t SET ${quote(long)} = t.${quote(long)} || r.pieces
      FROM (SELECT ${columns.join(", ")}, min(transfer_offset) AS first, string_agg(${quote(long)}, ''::bytea ORDER BY transfer_offset) AS pieces
        FROM json_to_recordset($2::json) AS p (${parts.map(({ column, type }) => `${quote(column)} ${type}`).join(", ")})
        GROUP BY ${columns.join(", ")}) r
      WHERE t.application_id = $1 AND ${same} AND octet_length(t.${quote(long)}) = r.first`,
    values: [applicationId, toArray(rows)],
  };
}

/** Lists the values from which a column of the rows is derived. */
export const sourcesStatement = (from: string, rows: readonly string[]): Statement => ({
  text: `SELECT DISTINCT r.value ->> $2 AS source FROM json_array_elements($1::json) r WHERE r.value ->> $2 IS NOT NULL`,
  values: [toArray(rows), from],
});

/** Values of each derived column, by the values of the column that they are derived from. */
export type DerivedValues = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Inserts rows that the application lacks, and returns their number. */
export function insertStatement(
  schema: string,
  { table, columns, hasOrganization, derived }: DescribedTable,
  { applicationId, orgId }: Owner,
  rows: readonly string[],
  values: DerivedValues,
): Statement {
  const owner = hasOrganization ? ["application_id", "org_id"] : ["application_id"];
  const own = owner.map((column) => `owner.${column}`);
  const select = columns.map((column) => {
    const rule = derived?.find((each) => each.column === column);
    return rule === undefined
      ? `r.${quote(column)}`
      : `(SELECT d.value::uuid FROM json_each_text(owner.derived -> '${column}') d WHERE d.key = r.${quote(rule.from)})`;
  });
  const byColumn = [...values].map(([column, found]) => [column, Object.fromEntries(found)]);
  return {
    text: `WITH inserted AS (
        INSERT INTO ${schema}.${table} (${[...owner, ...columns.map(quote)].join(", ")})
        SELECT ${[...own, ...select].join(", ")}
        FROM (SELECT $1::uuid AS application_id, $3::text AS org_id, $4::json AS derived) owner,
          json_populate_recordset(NULL::${schema}.${table}, $2::json) r
        ON CONFLICT DO NOTHING RETURNING 1)
      SELECT count(*)::integer AS count FROM inserted`,
    values: [applicationId, toArray(rows), orgId, JSON.stringify(Object.fromEntries(byColumn))],
  };
}

const toArray = (rows: readonly string[]) => `[${rows.join(",")}]`;
