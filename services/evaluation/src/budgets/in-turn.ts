/** Work on one key in the order of its arrival, one piece at a time. */
export class InTurn {
  readonly #last = new Map<string, Promise<void>>();

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const ended = result
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#last.set(key, ended);
    return result;
  }
}
