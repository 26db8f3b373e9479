// Resolves the names in a query; a name that is not allowed is an error.

import type { FieldViolation } from "@ems/kit/errors";
import { invalidEnumValue } from "@ems/kit/json/issue-messages";
import type { Column, ColumnType } from "../sources/index.ts";

export const columnTypes: readonly ColumnType[] = ["string", "number", "boolean", "date"];

export type Path = readonly (string | number)[];

export function lookUp<Value extends string>(
  allowed: readonly Value[],
  name: string,
  path: Path,
  faults: FieldViolation[],
): Value | undefined {
  const found = allowed.find((candidate) => candidate === name);
  if (found === undefined) faults.push({ path, code: "invalid_enum_value", message: invalidEnumValue(allowed, name) });
  return found;
}

export function lookUpColumn<One extends Column>(
  columns: readonly One[],
  id: string,
  path: Path,
  faults: FieldViolation[],
): One | undefined {
  const ids = columns.map((column) => column.id);
  return lookUp(ids, id, path, faults) === undefined ? undefined : columns.find((column) => column.id === id);
}

/** Checks that the column has the type stated in the query. Without columns, only validates the type. */
export function lookUpTypedColumn<One extends Column>(
  columns: readonly One[] | undefined,
  { column: id, type }: { readonly column: string; readonly type: string },
  path: Path,
  faults: FieldViolation[],
): One | undefined {
  const column = columns && lookUpColumn(columns, id, [...path, "column"], faults);
  lookUp(column === undefined ? columnTypes : [column.type], type, [...path, "type"], faults);
  return column;
}
