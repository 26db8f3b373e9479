// Batches items by key: items that arrive during a transaction with their key share the next one. An item without such
// a transaction is processed at once.

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

  /** Adds an item; resolves when the item's transaction has been committed. */
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

  /** Runs a batch. If it fails, retries each item in its own transaction, so that one failure affects no other item. */
  async #together(batch: readonly Waiting<Item>[]): Promise<void> {
    try {
      await this.#run(batch.map(({ item }) => item));
      for (const { done } of batch) done();
    } catch (error) {
      const [only] = batch;
      if (only !== undefined && batch.length === 1) only.fail(error);
      else for (const waiting of batch) await this.#together([waiting]);
    }
  }
}
