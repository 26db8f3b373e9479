// Makers of columns by kind.

import type { Column, ColumnType, ReferenceName, Storage } from "./source.ts";

type Overrides = Partial<Pick<Column, "sql" | "isNullable" | "values">>;

const column =
  (type: ColumnType, storage: Storage) =>
  (id: string, name: string, overrides: Overrides = {}): Column => ({
    id,
    name,
    type,
    storage,
    sql: `s.${id.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
    isNullable: false,
    ...overrides,
  });

export const text = column("string", { kind: "text" });
export const id = column("string", { kind: "uuid" });
export const boolean = column("boolean", { kind: "boolean" });
export const date = column("date", { kind: "moment" });
export const double = column("number", { kind: "double" });
export const integer = column("number", { kind: "scaled", scale: 0 });
/** Stored in millionths: sums are exact. */
export const micro = column("number", { kind: "scaled", scale: 6 });

/** A column of ids whose names results show. */
export function reference(name: ReferenceName, label: string, overrides: Overrides = {}): Column {
  return { ...id(`${name}Id`, label, overrides), reference: name };
}

/** The first columns of every source; `noun` names a row. */
export const identified = (noun: string): Column[] => [
  id("id", `${noun} ID`),
  text("orgId", "Organisation ID"),
  id("applicationId", "Application ID"),
];

export const created = date("createdAt", "Created Date");
export const modified = date("modifiedAt", "Modified Date");
/** Of immutable rows. */
export const modifiedWhenCreated = date("modifiedAt", "Modified Date", { sql: "s.created_at" });
