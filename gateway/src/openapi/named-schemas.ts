// Named schemas (components/schemas): each is built once and referenced wherever it is used.

import type { JsonObject } from "@bufbuild/protobuf";

export class NamedSchemas {
  readonly #nameByKey = new Map<string, string>();
  readonly #schemas: Map<string, JsonObject>;

  constructor(initial: Readonly<Record<string, JsonObject>> = {}) {
    this.#schemas = new Map(Object.entries(initial));
  }

  /**
   * Returns a reference to the schema of `key`, under the first free one of `names`. The name is reserved before
   * `build` runs, because messages may be recursive.
   */
  ref(key: string, names: readonly string[], build: () => JsonObject): JsonObject {
    let name = this.#nameByKey.get(key);
    if (name === undefined) {
      name = names.find((candidate) => !this.#schemas.has(candidate));
      if (name === undefined) throw new Error(`${key}: the schema names ${names.join(", ")} are taken`);
      this.#nameByKey.set(key, name);
      this.#schemas.set(name, {});
      this.#schemas.set(name, build());
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  resolve(ref: string): { name: string; schema: JsonObject } {
    const name = ref.slice(ref.lastIndexOf("/") + 1);
    return { name, schema: this.#schemas.get(name) ?? {} };
  }

  /** Returns all schemas, sorted by name. */
  toJson(): Record<string, JsonObject> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
