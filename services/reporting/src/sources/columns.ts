// The kinds of columns, so that a source's file is a list.

import type { Column, ColumnType, ReferenceName, Storage } from "./source.ts";

type More = Partial<Pick<Column, "sql" | "isNullable" | "values">>;

const column =
  (type: ColumnType, storage: Storage) =>
  (id: string, name: string, more: More = {}): Column => ({
    id,
    name,
    type,
    storage,
    sql: `s.${id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    isNullable: false,
    ...more,
  });

export const text = column("string", { kind: "text" });
export const id = column("string", { kind: "uuid" });
export const boolean = column("boolean", { kind: "boolean" });
export const date = column("date", { kind: "moment" });
export const double = column("number", { kind: "double" });
export const integer = column("number", { kind: "scaled", scale: 0 });
/** Stored in millionths, so that sums are exact. */
export const micro = column("number", { kind: "scaled", scale: 6 });

/** The id of something that has a name. */
export function reference(name: ReferenceName, label: string, more: More = {}): Column {
  return { ...id(`${name}Id`, label, more), reference: name };
}

/** What every source begins with. `noun` is what people call a row. */
export const identified = (noun: string): Column[] => [
  id("id", `${noun} ID`),
  text("orgId", "Organisation ID"),
  id("applicationId", "Application ID"),
];

export const created = date("createdAt", "Created Date");
export const modified = date("modifiedAt", "Modified Date");
/** Of rows that never change. */
export const modifiedNever = date("modifiedAt", "Modified Date", { sql: "s.created_at" });
