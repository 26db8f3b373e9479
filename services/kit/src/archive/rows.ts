// Rows of the archive as pg reads the table's.

import type { EntitySchema } from "typeorm";
import { columnList } from "../db/columns.ts";

const readers: Readonly<Record<string, (value: unknown) => unknown>> = {
  timestamptz: (ms) => new Date(Number(ms)),
  json: (text) => JSON.parse(String(text)),
  jsonb: (text) => JSON.parse(String(text)),
};

/** As `columnsOf`, of the archive's table. */
export function archivedColumnsOf<Row>(
  entity: EntitySchema<Row>,
  alias: string,
  properties?: readonly (keyof Row)[],
): string {
  return columnList(entity)
    .filter(({ property }) => properties === undefined || properties.includes(property as keyof Row))
    .map(({ property, name, type }) => `${comparable(`${alias}.${name}`, type)} AS "${property}"`)
    .join(", ");
}

/** A column's value as JSON has it: times in milliseconds. */
export function comparable(column: string, type: string): string {
  return type === "timestamptz" ? `toUnixTimestamp64Milli(${column})` : column;
}

/** What `archivedColumnsOf` has read. */
export function archivedRows<Row>(entity: EntitySchema<Row>, rows: readonly Record<string, unknown>[]): Row[] {
  const converted = columnList(entity).flatMap(({ property, type }) => {
    const read = readers[type];
    return read === undefined ? [] : [[property, read] as const];
  });
  return rows.map((row) => {
    const copy = { ...row };
    for (const [property, read] of converted) {
      const value = row[property] ?? null;
      if (value !== null) copy[property] = read(value);
    }
    return copy as Row;
  });
}
