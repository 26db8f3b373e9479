// Words of a query that stand for something: which there are, and what is said of one that is none of them.

import type { Fault } from "@ems/kit/errors";
import { invalidEnumValue } from "@ems/kit/json/issue-messages";
import { findColumn } from "../sources/index.ts";
import type { Column, ColumnType, Source } from "../sources/source.ts";

export const columnTypes: readonly ColumnType[] = ["string", "number", "boolean", "date"];

export type Path = readonly (string | number)[];

/** `word` as one of `words`; undefined when it is none, which is a fault. */
export function wordOf<Word extends string>(
  words: readonly Word[],
  word: string,
  path: Path,
  faults: Fault[],
): Word | undefined {
  const known = words.find((one) => one === word);
  if (known === undefined) faults.push({ path, code: "invalid_enum_value", message: invalidEnumValue(words, word) });
  return known;
}

/**
 * The source's column of that id, which must have the type that the query says it has. Where there is no source to look
 * into, only the type is judged.
 */
export function columnOf(
  source: Source | undefined,
  { column: id, type }: { readonly column: string; readonly type: string },
  path: Path,
  faults: Fault[],
): Column | undefined {
  const column = source && knownColumn(source, id, [...path, "column"], faults);
  wordOf(column === undefined ? columnTypes : [column.type], type, [...path, "type"], faults);
  return column;
}

export function knownColumn(source: Source, id: string, path: Path, faults: Fault[]): Column | undefined {
  const ids = source.columns.map((column) => column.id);
  return wordOf(ids, id, path, faults) === undefined ? undefined : findColumn(source, id);
}
