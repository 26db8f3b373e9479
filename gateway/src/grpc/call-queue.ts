// Starts a few HTTP/2 requests per turn of the event loop, sessions round robin. A packet may open hundreds of them;
// starting all in one turn would block other clients and the database connections.

/** Requests per turn. Refusals are the cheapest requests: this many take a few milliseconds. */
const perTurnMax = 16;

export class CallQueue<Key extends object> {
  readonly #queues = new Map<Key, (() => void)[]>();
  #begunInTurn = 0;
  #next: NodeJS.Immediate | undefined;

  /** Runs `begin` at once; in a later turn of the event loop if many have begun in this one. */
  start(key: Key, begin: () => void): void {
    this.#next ??= setImmediate(this.#nextTurn);
    if (this.#queues.size === 0 && this.#begunInTurn < perTurnMax) {
      this.#begunInTurn++;
      begin();
      return;
    }
    const queue = this.#queues.get(key);
    if (queue === undefined) this.#queues.set(key, [begin]);
    else queue.push(begin);
  }

  /** Removes queued requests. */
  drop(key: Key): void {
    this.#queues.delete(key);
  }

  readonly #nextTurn = (): void => {
    this.#begunInTurn = 0;
    this.#next = undefined;
    if (this.#queues.size === 0) return;
    this.#next = setImmediate(this.#nextTurn);
    for (; this.#begunInTurn < perTurnMax; this.#begunInTurn++) {
      const [first] = this.#queues;
      if (first === undefined) return;
      const [key, queue] = first;
      const begin = queue.shift();
      // Delete and insert the key, which moves it to the end of the rotation.
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      begin?.();
    }
  };
}
