// Batches items by key: items that arrive during a transaction of their key share the next one, without an added
// delay.

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

  /** Resolves after the commit of the item's transaction. */
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

  /**
   * If the batch fails, each item is retried in its own transaction, so that one failure does not affect the others.
   */
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
