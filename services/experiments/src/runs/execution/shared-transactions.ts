// What waits while a transaction of its key is under way goes into the next one, together: without a wait of its own.

interface Waiting<Item> {
  readonly item: Item;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

const itemsMax = 50;

export class SharedTransactions<Item> {
  readonly #run: (items: readonly Item[]) => Promise<void>;
  readonly #waiting = new Map<string, Waiting<Item>[]>();

  constructor(run: (items: readonly Item[]) => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when the transaction that has the item is committed. */
  add(key: string, item: Item): Promise<void> {
    const { promise, resolve: done, reject: fail } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.push({ item, done, fail });
    else {
      const first = [{ item, done, fail }];
      this.#waiting.set(key, first);
      void this.#drain(key, first);
    }
    return promise;
  }

  async #drain(key: string, waiting: Waiting<Item>[]): Promise<void> {
    while (waiting.length > 0) await this.#together(waiting.splice(0, itemsMax));
    this.#waiting.delete(key);
  }

  /** One that fails does not fail the others: each is tried by itself then. */
  async #together(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#run(batch.map(({ item }) => item));
      for (const { done } of batch) done();
    } catch (error) {
      const [only] = batch;
      if (only !== undefined && batch.length === 1) only.fail(error);
      else for (const one of batch) await this.#together([one]);
    }
  }
}
