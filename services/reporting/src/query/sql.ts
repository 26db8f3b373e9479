// What statements of PostgreSQL have in common.

import type { Parameters } from "@ems/kit/db/parameters";
import type { Column } from "../sources/index.ts";
import type { ArchivedRow } from "./compile-archive.ts";
import { instant } from "./predicates.ts";

/** A statement with its values. */
export interface Compiled {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Orders texts by code point, whatever the database's locale. */
export function collated({ storage }: Column, sql: string): string {
  return storage.kind === "text" ? `${sql} COLLATE "C"` : sql;
}

/** A part from values; moments are in milliseconds. */
export function unnest(
  rows: readonly ArchivedRow[],
  parameters: Parameters,
  columns: readonly [name: string, type: string][],
): string {
  const lists = columns.map(([name, type]) => {
    const values = rows.map(({ [name]: value = null }) =>
      value === null || type !== "timestamptz" ? value : instant(Number(value)),
    );
    return parameters.add(values, `${type}[]`);
  });
  const names = columns.map(([name]) => name).join(", ");
  return `SELECT ${names} FROM unnest(${lists.join(", ")}) archived (${names})`;
}

const storageTypes = {
  ...{ uuid: "uuid", text: "text", boolean: "boolean", double: "float8", scaled: "bigint", moment: "timestamptz" },
} as const;

export function typeOf({ storage }: Column): string {
  return storageTypes[storage.kind];
}
