// The named schemas of the document: each is made once and referred to wherever it is used.

import type { JsonObject } from "@bufbuild/protobuf";

export class Components {
  readonly #names = new Map<string, string>();
  readonly #schemas: Map<string, JsonObject>;

  /** `given` are there already, and their names taken. */
  constructor(given: Readonly<Record<string, JsonObject>> = {}) {
    this.#schemas = new Map(Object.entries(given));
  }

  /**
   * A reference to the schema that `key` stands for. It gets the first of `names` that is free; it has it before `make`
   * runs, since a message may hold itself.
   */
  ref(key: string, names: readonly string[], make: () => JsonObject): JsonObject {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = names.find((candidate) => !this.#schemas.has(candidate));
      if (name === undefined) throw new Error(`${key}: the names ${names.join(", ")} are taken in the API reference`);
      this.#names.set(key, name);
      this.#schemas.set(name, {});
      this.#schemas.set(name, make());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The name and the schema behind a reference that this has made. */
  resolve(ref: string): { name: string; schema: JsonObject } {
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    return { name, schema: this.#schemas.get(name) ?? {} };
  }

  /** All of them, in the order of their names. */
  schemas(): Record<string, JsonObject> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
