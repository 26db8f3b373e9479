// One application's reports do not take the database from all others: of each, only so many are at work at a time. The
// rest wait their turn, no longer than their callers do; and only so many wait, since whoever waits has a place at the
// gateway that others may need.

import { tooMany } from "@ems/kit/errors";

const retryAfterMs = 1_000;

export class Turns {
  readonly #most: number;
  readonly #waitingMost: number;
  readonly #running = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(most: number, waitingMost: number) {
    this.#most = most;
    this.#waitingMost = waitingMost;
  }

  /** Runs `work` when it is `key`'s turn; fails with the signal's reason when that comes first, at once when too many wait. */
  async take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key) ?? 0;
    if (running < this.#most) this.#running.set(key, running + 1);
    else await this.#wait(key, signal);
    try {
      return await work();
    } finally {
      this.#pass(key);
    }
  }

  #wait(key: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key) ?? [];
      this.#waiting.set(key, waiting);
      const onAbort = () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      if (waiting.length >= this.#waitingMost) return reject(tooMany("Too many reports at once", retryAfterMs));
      signal.addEventListener("abort", onAbort);
      waiting.push(go);
    });
  }

  /** Hands the turn on, or gives it back. */
  #pass(key: string): void {
    const next = this.#waiting.get(key)?.shift();
    if (next !== undefined) {
      next();
      return;
    }
    this.#waiting.delete(key);
    const running = (this.#running.get(key) ?? 1) - 1;
    if (running > 0) this.#running.set(key, running);
    else this.#running.delete(key);
  }
}
