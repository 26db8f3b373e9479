// Converts rows of the archive to what pg returns for the table.

import { columnList } from "@ems/kit/db/columns";
import type { EntitySchema } from "typeorm";
import { columnType } from "./column-type.ts";

/** Like kit's `buildSelectList`, for the archive's table. */
export function buildArchivedSelectList<Row>(
  entity: EntitySchema<Row>,
  alias: string,
  properties?: readonly (keyof Row)[],
): string {
  return columnList(entity)
    .filter(({ property }) => properties === undefined || properties.includes(property as keyof Row))
    .map((column) => `${columnType(column).selected(`${alias}.${column.name}`)} AS "${column.property}"`)
    .join(", ");
}

/** Converts rows that were read with `buildArchivedSelectList`. */
export function archivedRows<Row>(entity: EntitySchema<Row>, rows: readonly Record<string, unknown>[]): Row[] {
  const converted = columnList(entity).flatMap((column) => {
    const { read } = columnType(column);
    return read === undefined ? [] : [[column.property, read] as const];
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
