// Request batching: lookups that arrive while the maximum number of calls is in progress share the next call.

interface Pending<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

export interface LookupBatcherOptions<Key, Value> {
  /** Maximum concurrent calls. */
  readonly callsMax: number;
  /** Maximum keys per call. */
  readonly keysMax: number;
  /** Returns the values of the keys, in order. */
  readonly call: (keys: readonly Key[]) => Promise<readonly Value[]>;
}

export class LookupBatcher<Key, Value> {
  readonly #options: LookupBatcherOptions<Key, Value>;
  readonly #pending: Pending<Key, Value>[] = [];
  #callsInFlight = 0;

  constructor(options: LookupBatcherOptions<Key, Value>) {
    this.#options = options;
  }

  load(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ key, resolve, reject });
      this.#dispatch();
    });
  }

  #dispatch(): void {
    if (this.#callsInFlight >= this.#options.callsMax || this.#pending.length === 0) return;
    this.#callsInFlight += 1;
    void this.#run(this.#pending.splice(0, this.#options.keysMax)).finally(() => {
      this.#callsInFlight -= 1;
      this.#dispatch();
    });
  }

  async #run(batch: readonly Pending<Key, Value>[]): Promise<void> {
    try {
      const values = await this.#options.call(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
