// Sorts rows by content, with references as positions in the file, so that exports of equal content are equal. Ids and
// times do not suffice: rows created by one call share a creation time, and an import assigns new ids.

import type { Json } from "../api.ts";

export class ExportOrder {
  readonly #positions = new Map<string, number>();

  /** Records an id at the next position in the file. */
  add(id: string): void {
    this.#positions.set(id, this.#positions.size);
  }

  /** Returns the ids in file order. */
  ids(ids: readonly string[]): string[] {
    return ids.toSorted((a, b) => this.#positionOf(a) - this.#positionOf(b));
  }

  /** Returns the rows sorted by `fields`. A reference sorts by its position in the file. */
  rows(rows: readonly Json[], fields: readonly string[]): Json[] {
    const keyed = rows.map((row) => ({ row, keys: fields.map((field) => this.#key(row[field])) }));
    return keyed.toSorted((a, b) => compare(a.keys, b.keys)).map(({ row }) => row);
  }

  #key(value: unknown): string {
    if (typeof value === "string" && this.#positions.has(value))
      return String(this.#positionOf(value)).padStart(12, "0");
    return JSON.stringify(value ?? null);
  }

  #positionOf(id: string): number {
    return this.#positions.get(id) ?? this.#positions.size;
  }
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((key, index) => key !== b[index]);
  if (at === -1) return 0;
  return (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
