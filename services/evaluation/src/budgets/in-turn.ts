interface Waiting {
  readonly first: (() => Promise<void>)[];
  readonly rest: (() => Promise<void>)[];
}

/**
 * Runs work with the same key one after the other, in order of arrival. However, work that frees reservations runs
 * before work that needs them.
 */
export class InTurn {
  readonly #waiting = new Map<string, Waiting>();

  run<T>(key: string, work: () => Promise<T>, { isFirst = false } = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const piece = () => new Promise<T>((begun) => begun(work())).then(resolve, reject);
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting[isFirst ? "first" : "rest"].push(piece);
    else void this.#work(key, piece);
    return promise;
  }

  async #work(key: string, piece: () => Promise<void>): Promise<void> {
    const waiting: Waiting = { first: [], rest: [] };
    this.#waiting.set(key, waiting);
    for (let next: typeof piece | undefined = piece; next !== undefined; ) {
      await next();
      next = waiting.first.shift() ?? waiting.rest.shift();
    }
    this.#waiting.delete(key);
  }
}
