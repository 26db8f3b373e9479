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
  const [first = {}] = rows as readonly Readonly<Record<string, unknown>>[];
  const columns = columnList(entity).filter(({ property }) => first[property] !== undefined);
  const isShared = ({ property }: Column) => rows.every((row) => row[property as keyof Row] === first[property]);
  // A value that all rows share travels once, such as the tenant's of a thousand rows.
  const shared = rows.length > 1 ? columns.filter(isShared) : [];
  const listed = shared.length < columns.length ? columns.filter((column) => !shared.includes(column)) : columns;
  const ordered = [...listed, ...columns.filter((column) => !listed.includes(column))];
  const names = ordered.map(({ name }) => name).join(", ");
  const selected = ordered.map((column, index) => {
    return `${index < listed.length ? `n.${column.name}` : `$${index + 1}::${sentType(column)}`}${castOf(column)}`;
  });
  const text = `INSERT INTO ${tableOf(entity)} (${names})
    SELECT ${selected.join(", ")}
    FROM unnest(${listed.map((column, index) => `$${index + 1}::${sentType(column)}[]`).join(", ")})
      AS n (${listed.map(({ name }) => name).join(", ")})${onConflict === "ignore" ? " ON CONFLICT DO NOTHING" : ""}`;
  const values = ordered.map((column, index) => {
    if (index >= listed.length) return encoded(column, first[column.property]);
    return rows.map((row) => encoded(column, row[column.property as keyof Row]));
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
