/** Parameters that can be omitted from a request. */
export const parameters = ["temperature", "seed", "maxOutputTokens", "schema"] as const;
export type Parameter = (typeof parameters)[number];

const connectionsMax = 10_000;

/** Parameters that models do not accept, by connection and time of its last change. */
export class DroppedParameters {
  readonly #byConnection = new Map<string, Set<Parameter>>();

  of({ id, modifiedAt }: { readonly id: string; readonly modifiedAt: Date }): Set<Parameter> {
    const key = `${id} ${modifiedAt.getTime()}`;
    const registered = this.#byConnection.get(key) ?? new Set();
    // Limits the memory of a process that runs for years.
    if (this.#byConnection.size >= connectionsMax) this.#byConnection.clear();
    this.#byConnection.set(key, registered);
    return registered;
  }
}
