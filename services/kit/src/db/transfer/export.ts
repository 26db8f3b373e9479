// Statements that read a page of a table's rows as JSON texts.

import type { Statement } from "../batch.ts";
import { type DescribedTable, quote } from "./tables.ts";

/** Rows that are considered for one page, and their maximum size in characters; the first row has no limit. */
const pageRowsMax = 500;
/** With rows that belong to them, which are not measured, pages are shorter. */
const pageRowsTogetherMax = 15;
const pageLengthMax = 2_000_000;

export interface ExportedRow {
  readonly row: string;
  /** Place of the row in the order of the export. */
  readonly key: readonly string[];
  /** Rows that belong to this one. */
  readonly together: readonly string[] | null;
}

/**
 * Reads the rows after the key `after`. The first limit uses stored sizes, so that few rows are decompressed beyond the
 * page.
 */
export function pageStatement(
  schema: string,
  table: DescribedTable,
  applicationId: string,
  after: readonly string[] | undefined,
): Statement {
  const { key, isLink, parent = "" } = table;
  const order = key.map(({ column }) => quote(column)).join(", ");
  const past =
    after === undefined
      ? ""
      : `AND (${order}) > (${key.map(({ type }, at) => `$${at + 2}::text::${type}`).join(", ")})`;
  const sum = (getSize: (column: string) => string) =>
    ["0", ...table.long.map((column) => `coalesce(${getSize(quote(column))}, 0)`)].join(" + ");
  const stored = sum((column) => `pg_column_size(t.${column})`);
  const length = sum((column) => `octet_length(f.${column}::text)`);
  const rowsMax = table.together === undefined ? pageRowsMax : pageRowsTogetherMax;
  return {
    text: `SELECT ${jsonSql(table.columns, "r")} AS row, r.transfer_key AS key, ${togetherSql(schema, table.together)} AS together
      FROM (
        SELECT f.*, sum(${length}) OVER (ORDER BY f.transfer_number) - (${length}) AS transfer_before
        FROM (
          SELECT t.*, row_number() OVER w AS transfer_number, ARRAY[${key.map(({ column }) => `${quote(column)}::text`).join(", ")}] AS transfer_key,
            sum(${stored}) OVER w - (${stored}) AS transfer_stored
          FROM (SELECT * FROM ${schema}.${table.table} WHERE application_id = $1${isLink ? ` AND ${quote(parent)} IS NOT NULL` : ""} ${past} ORDER BY ${order} LIMIT ${rowsMax}) t
          WINDOW w AS (ORDER BY ${order})
        ) f WHERE f.transfer_stored < ${pageLengthMax}
      ) r WHERE r.transfer_before < ${pageLengthMax} ORDER BY r.transfer_number`,
    values: [applicationId, ...(after ?? [])],
  };
}

/** Builds the text of a row's JSON, which keeps values of json columns byte for byte. */
const jsonSql = (columns: readonly string[], of: string) =>
  `(SELECT row_to_json(x)::text FROM (SELECT ${columns.map((column) => `${of}.${quote(column)}`).join(", ")}) x)`;

function togetherSql(schema: string, together: DescribedTable["together"]): string {
  if (together === undefined) return "NULL::text[]";
  const { table, on, columns } = together;
  const matches = Object.entries(on).map(([theirs, own]) => `o.${quote(theirs)} = r.${quote(own)}`);
  return `ARRAY(SELECT ${jsonSql(columns, "o")} FROM ${schema}.${table} o
    WHERE o.application_id = $1 AND ${matches.join(" AND ")})`;
}
