// Rows of an import as read from the file, before their columns have a meaning.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { isExactNumber } from "@ems/kit/json/exact-number";

export interface SourceRecord {
  readonly row: number;
  /** Values by column; blank cells are absent. */
  readonly values: ReadonlyMap<string, JsonValue>;
}

export interface Column {
  /** Key of the column in records: its name, or a name with a number if several columns have it. */
  readonly key: string;
  readonly name: string;
}

/**
 * Column that a client adds to a file that it sends in pieces: position of the row among the file's rows with equal
 * prompts.
 */
export const occurrenceColumn = "__occurrence";

/** Part of a file that has no place yet. */
export interface Waiting {
  readonly row: number;
  readonly field: string;
  readonly message: string;
}

/** A row in the vocabulary of tasks: the fields of a task and those that link it. */
export interface ImportRow {
  readonly row: number;
  readonly fields: JsonObject;
  /** Evaluators to create and link, each with its own expectation. */
  readonly evaluators?: readonly Evaluator[];
}

/** An evaluation definition of type OUTPUT_MATCH, and what one task expects of it. */
export interface Evaluator {
  readonly name: string;
  /** Settings, as JSON of GlobalConfig. */
  readonly config: JsonObject;
  readonly expected: string | readonly string[];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
}

export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Removes what spreadsheets and tools write differently: case, spaces, underscores and hyphens. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

export function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
