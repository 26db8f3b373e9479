/** Parameters that can be omitted from a request. */
export const parameters = ["temperature", "seed", "maxOutputTokens", "schema"] as const;
export type Parameter = (typeof parameters)[number];
/** A parameter that is omitted; `enforcement`: the schema is sent, but the server does not enforce it. */
export type Lack = Parameter | "enforcement";

const connectionsMax = 10_000;

/** Parameters that models do not accept or ignore, by connection and time of its last change. */
export class DroppedParameters {
  readonly #byConnection = new Map<string, Set<Lack>>();

  of({ id, modifiedAt }: { readonly id: string; readonly modifiedAt: Date }): Set<Lack> {
    const key = `${id} ${modifiedAt.getTime()}`;
    const registered = this.#byConnection.get(key) ?? new Set();
    // Limits the memory of a process that runs for years.
    if (this.#byConnection.size >= connectionsMax) this.#byConnection.clear();
    this.#byConnection.set(key, registered);
    return registered;
  }
}
