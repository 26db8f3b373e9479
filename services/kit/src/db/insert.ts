// The INSERT of any number of rows in one statement: an array a column, so that its text is the same for every number and
// PostgreSQL's limit of 65,535 parameters is out of reach.

import type { EntitySchema } from "typeorm";
import { type Column, columnList, tableOf } from "./columns.ts";

interface InsertStatement {
  readonly text: string;
  readonly values: unknown[];
}

/** What happens to a row whose key is there already: the statement fails, unless it is to be ignored. */
export type OnConflict = "ignore";

/** Inserts `rows`, which all give the same columns; what none gives gets the column's default. */
export function insertStatement<Row extends object>(
  entity: EntitySchema<Row>,
  rows: readonly Partial<Row>[],
  onConflict?: OnConflict,
): InsertStatement {
  const [first = {}] = rows;
  const columns = columnList(entity).filter(({ property }) => first[property as keyof typeof first] !== undefined);
  const text = `INSERT INTO ${tableOf(entity)} (${columns.map(({ name }) => name).join(", ")})
    SELECT ${columns.map(({ name, ...column }) => `n.${name}${castOf(column)}`).join(", ")}
    FROM unnest(${columns.map((column, index) => `$${index + 1}::${sentType(column)}[]`).join(", ")})
      AS n (${columns.map(({ name }) => name).join(", ")})${onConflict === "ignore" ? " ON CONFLICT DO NOTHING" : ""}`;
  const values = columns.map((column) => {
    const property = column.property as keyof Row;
    return rows.map((row) => encoded(column, row[property]));
  });
  return { text, values };
}

/** Arrays of different lengths are no array of PostgreSQL's, and an object is none of `pg`'s texts: both travel as texts. */
function isText({ type, isArray }: Pick<Column, "type" | "isArray">): boolean {
  return isArray || type === "json" || type === "jsonb";
}

function sentType(column: Column): string {
  return isText(column) ? "text" : column.type;
}

function castOf(column: Pick<Column, "type" | "isArray">): string {
  return isText(column) ? `::${column.type}${column.isArray ? "[]" : ""}` : "";
}

function encoded({ type, isArray }: Column, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (isArray) return arrayLiteral(value as readonly unknown[]);
  if (type === "json" || type === "jsonb") return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : value;
}

function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map((value) => `"${String(value).replace(/[\\"]/g, "\\$&")}"`).join(",")}}`;
}
