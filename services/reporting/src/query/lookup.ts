// Resolves the names in a query; a name that is not allowed is an error.

import type { FieldViolation } from "@ems/kit/errors";
import { invalidEnumValue } from "@ems/kit/json/issue-messages";
import { type Column, type ColumnType, findColumn, type Source } from "../sources/index.ts";

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

export function lookUpColumn(source: Source, id: string, path: Path, faults: FieldViolation[]): Column | undefined {
  const ids = source.columns.map((column) => column.id);
  return lookUp(ids, id, path, faults) === undefined ? undefined : findColumn(source, id);
}

/** Checks that the column has the type stated in the query. Without a source, only validates the type. */
export function lookUpTypedColumn(
  source: Source | undefined,
  { column: id, type }: { readonly column: string; readonly type: string },
  path: Path,
  faults: FieldViolation[],
): Column | undefined {
  const column = source && lookUpColumn(source, id, [...path, "column"], faults);
  lookUp(column === undefined ? columnTypes : [column.type], type, [...path, "type"], faults);
  return column;
}
