// Statements that read a page of a table's rows as JSON texts.

import type { Statement } from "../batch.ts";
import { type DescribedTable, quote } from "./tables.ts";

/** Rows that are considered for one page, and their maximum size in characters; the first row has no limit. */
const pageRowsMax = 500;
/** With rows that belong to them, which are not measured, pages are shorter. */
const pageRowsTogetherMax = 15;
const pageLengthMax = 2_000_000;
/** Bytes of a piece of a long column, each of which has two characters in JSON. */
const pieceBytes = 256 * 1024;
/** Pieces are measured before the page ends, so that pages have fewer rows. */
const pageRowsLongMax = 50;

export interface ExportedRow {
  readonly row: string;
  /** Place of the row in the order of the export. */
  readonly key: readonly string[];
  /** Rows that belong to this one. */
  readonly together: readonly string[] | null;
}

/** Reads the rows after the key `after`. */
export function pageStatement(
  schema: string,
  table: DescribedTable,
  applicationId: string,
  after: readonly string[] | undefined,
): Statement {
  const text = table.content === "pieces" ? piecesSql(schema, table, after) : rowsSql(schema, table, after);
  return { text, values: [applicationId, ...(after ?? [])] };
}

/** The first limit uses stored sizes, so that few rows are decompressed beyond the page. */
function rowsSql(schema: string, table: DescribedTable, after: readonly string[] | undefined): string {
  const { key, content, parent = "", long, where } = table;
  const order = key.map(({ column }) => quote(column)).join(", ");
  const past = after === undefined ? "" : `AND (${order}) > (${keyParameters(table)})`;
  const sum = (getSize: (column: string) => string) =>
    ["0", ...table.variable.map((column) => `coalesce(${getSize(quote(column))}, 0)`)].join(" + ");
  const stored = sum((column) => `pg_column_size(t.${column})`);
  const length = sum((column) => `octet_length(f.${column}::text)`);
  const ownMax = long === undefined ? pageRowsMax : pageRowsLongMax;
  const rowsMax = table.together === undefined ? ownMax : pageRowsTogetherMax;
  const conditions = [
    ...(content === "links" ? [`${quote(parent)} IS NOT NULL`] : []),
    ...(where === undefined ? [] : [`(${where})`]),
  ];
  const columns = table.columns.map((column) =>
    column === long ? `substring(t.${quote(column)} FOR ${pieceBytes}) AS ${quote(column)}` : `t.${quote(column)}`,
  );
  return `SELECT ${jsonSql(table.columns, "r")} AS row, r.transfer_key AS key, ${togetherSql(schema, table.together)} AS together
      FROM (
        SELECT f.*, sum(${length}) OVER (ORDER BY f.transfer_number) - (${length}) AS transfer_before
        FROM (
          SELECT t.*, row_number() OVER w AS transfer_number, ${keySql(table, "t")} AS transfer_key,
            sum(${stored}) OVER w - (${stored}) AS transfer_stored
          FROM (SELECT ${long === undefined ? "*" : columns.join(", ")} FROM ${schema}.${table.table} t
            WHERE ${["application_id = $1", ...conditions].join(" AND ")} ${past} ORDER BY ${order} LIMIT ${rowsMax}) t
          WINDOW w AS (ORDER BY ${order})
        ) f WHERE f.transfer_stored < ${pageLengthMax}
      ) r WHERE r.transfer_before < ${pageLengthMax} ORDER BY r.transfer_number`;
}

/** Selects pieces beyond the first, and reads their content only for the page. Their key ends with their offset. */
function piecesSql(schema: string, table: DescribedTable, after: readonly string[] | undefined): string {
  const { key, long = "", where = "true" } = table;
  const order = key.map(({ column }) => `t.${quote(column)}`).join(", ");
  const offset = `$${key.length + 2}::text::integer`;
  const [reached, past] =
    after === undefined
      ? ["true", "true"]
      : [`(${order}) >= (${keyParameters(table)})`, `(${order}, p.at) > (${keyParameters(table)}, ${offset})`];
  const size = `octet_length(t.${quote(long)})`;
  const columns = key.map(({ column }) => `r.${quote(column)}`);
  const piece = `substring(r.${quote(long)} FROM r.transfer_offset + 1 FOR ${pieceBytes}) AS ${quote(long)}`;
  return `SELECT (SELECT row_to_json(x)::text FROM (SELECT ${[...columns, "r.transfer_offset", piece].join(", ")}) x) AS row,
      ${keySql(table, "r")} || r.transfer_offset::text AS key, NULL::text[] AS together
    FROM (
      SELECT t.*, p.at AS transfer_offset, sum(least(${pieceBytes}, ${size} - p.at)) OVER w AS transfer_bytes
      FROM ${schema}.${table.table} t CROSS JOIN LATERAL generate_series(${pieceBytes}, ${size} - 1, ${pieceBytes}) p (at)
      WHERE t.application_id = $1 AND (${where}) AND ${reached} AND ${past}
      WINDOW w AS (ORDER BY ${order}, p.at) ORDER BY ${order}, p.at LIMIT ${pageRowsLongMax}
    ) r WHERE r.transfer_bytes <= ${pageLengthMax / 2} ORDER BY r.transfer_bytes`;
}

const keySql = ({ key }: DescribedTable, of: string) =>
  `ARRAY[${key.map(({ column }) => `${of}.${quote(column)}::text`).join(", ")}]`;
const keyParameters = ({ key }: DescribedTable) => key.map(({ type }, at) => `$${at + 2}::text::${type}`).join(", ");

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
