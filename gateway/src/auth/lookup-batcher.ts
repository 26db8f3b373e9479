// Gathers what many ask for while calls are under way: each value has one call alone when nothing else is asked for, and
// shares one with others when much is.

interface Waiting<Key, Value> {
  readonly key: Key;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchesOptions<Key, Value> {
  /** Calls under way at one time. */
  readonly callsMax: number;
  /** Keys of one call. */
  readonly keysMax: number;
  /** The values of the keys, in their order. */
  readonly call: (keys: readonly Key[]) => Promise<readonly Value[]>;
}

export class Batches<Key, Value> {
  readonly #options: BatchesOptions<Key, Value>;
  readonly #waiting: Waiting<Key, Value>[] = [];
  #calls = 0;

  constructor(options: BatchesOptions<Key, Value>) {
    this.#options = options;
  }

  load(key: Key): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#calls >= this.#options.callsMax || this.#waiting.length === 0) return;
    this.#calls += 1;
    void this.#run(this.#waiting.splice(0, this.#options.keysMax)).finally(() => {
      this.#calls -= 1;
      this.#next();
    });
  }

  async #run(batch: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await this.#options.call(batch.map(({ key }) => key));
      for (const [index, { resolve }] of batch.entries()) resolve(values[index] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
