// What is made by one call is made within one millisecond, and has no order of its own that another application would keep.
// An export orders it by what it says, with references by where they stand in the file.

import type { Json } from "../api.ts";

export class Places {
  readonly #places = new Map<string, number>();

  /** Takes down the next thing of the file. */
  add(id: string): void {
    this.#places.set(id, this.#places.size);
  }

  /** Ids by where their things stand. */
  ids(ids: readonly string[]): string[] {
    return ids.toSorted((a, b) => this.#placeOf(a) - this.#placeOf(b));
  }

  /** Things by the named members, the first one first; references among them by where they stand. */
  things(things: readonly Json[], members: readonly string[]): Json[] {
    const keyed = things.map((thing) => ({ thing, keys: members.map((member) => this.#key(thing[member])) }));
    return keyed.toSorted((a, b) => compare(a.keys, b.keys)).map(({ thing }) => thing);
  }

  #key(value: unknown): string {
    if (typeof value === "string" && this.#places.has(value)) return String(this.#placeOf(value)).padStart(12, "0");
    return JSON.stringify(value ?? null);
  }

  #placeOf(id: string): number {
    return this.#places.get(id) ?? this.#places.size;
  }
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((key, index) => key !== b[index]);
  if (at === -1) return 0;
  return (a[at] ?? "") < (b[at] ?? "") ? -1 : 1;
}
