// Determines the public part of the contract: the API's RPCs, and all types in their messages and in events.

import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescMethod,
  type FileRegistry,
  getOption,
  hasOption,
} from "@bufbuild/protobuf";

/** Public types that no RPC uses: the events on NATS, and the error reasons. */
const roots = ["ems.events.v1.Event", "ems.type.v1.ErrorReason"];

export class PublicContract {
  readonly files: readonly DescFile[];
  readonly #registry: FileRegistry;
  readonly #types = new Set<DescMessage | DescEnum>();

  constructor(registry: FileRegistry) {
    this.#registry = registry;
    this.files = [...registry.files].filter(({ name }) => name.startsWith("ems/"));
    for (const name of roots) {
      this.#reach(registry.getMessage(name));
      this.#reach(registry.getEnum(name));
    }
    for (const method of this.files.flatMap(({ services }) => services.flatMap(({ methods }) => methods))) {
      if (!this.hasMethod(method)) continue;
      this.#reach(method.input);
      this.#reach(method.output);
    }
  }

  /** Returns true for an RPC with a REST route, or with the option `grpc`. */
  hasMethod(method: DescMethod): boolean {
    return this.#option(method, "google.api.http") !== undefined || this.#option(method, "ems.rest.v1.grpc") === true;
  }

  hasType(type: DescMessage | DescEnum): boolean {
    return this.#types.has(type);
  }

  hasField(field: DescField): boolean {
    const isInternal = ["ems.rest.v1.internal", "ems.events.v1.internal"].some((name) => this.#option(field, name));
    return !isInternal;
  }

  #reach(type: DescMessage | DescEnum | undefined): void {
    if (type === undefined || this.#types.has(type)) return;
    this.#types.add(type);
    this.#reach(type.parent);
    if (type.kind === "enum") return;
    for (const field of type.fields.filter((field) => this.hasField(field))) {
      this.#reach(field.message);
      this.#reach(field.enum);
    }
  }

  /** Reads the option by name, because extension objects of generated code differ from those in the registry. */
  #option(element: DescField | DescMethod, name: string): unknown {
    const option = this.#registry.getExtension(name) as DescExtension | undefined;
    return option !== undefined && hasOption(element, option) ? getOption(element, option) : undefined;
  }
}
