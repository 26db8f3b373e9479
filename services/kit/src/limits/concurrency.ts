// Fair shares of something that many use at once: concurrent work per key, such as an application. A key holds at most
// `maxPerKey` places and never more than are left over (dynamic threshold): alone it gets half of `max`, and whoever comes
// next finds a place. Who waits is let in in the order of coming, keys by turns (round robin).

export interface SharesOptions {
  /** Places of all keys together. */
  readonly max?: number;
  /** Places of one key. */
  readonly maxPerKey?: number;
  /** How many may wait for a place: of one key, and in all. */
  readonly waitingMaxPerKey?: number;
  readonly waitingMax?: number;
  /** How long one waits at most. */
  readonly waitMs?: number;
  /**
   * The error for whoever gets no place: `key` when the key holds some already or has too many waiting, `all` when other
   * keys have taken them.
   */
  readonly refuse: (whose: "key" | "all") => Error;
}

interface Waiter {
  readonly go: () => void;
}

export class Shares {
  readonly #options: Required<SharesOptions>;
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  /** Keys in the order of their turns; none without a waiter. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  #waitingInAll = 0;

  constructor(options: SharesOptions) {
    const unlimited = { max: Infinity, maxPerKey: Infinity, waitingMax: Infinity, waitMs: Infinity };
    this.#options = { ...unlimited, waitingMaxPerKey: 0, ...options };
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waitingInAll;
  }

  /** Takes a place when one is free for `key`; who was let in calls `leave` in the end. */
  tryEnter(key: string): boolean {
    const running = this.#running.get(key) ?? 0;
    if (!this.#isFree(running)) return false;
    this.#running.set(key, running + 1);
    this.#runningInAll += 1;
    return true;
  }

  /** Takes a place for `key` although none may be free: for work that must not wait while it holds another place. */
  enterAnyway(key: string): void {
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    this.#runningInAll += 1;
  }

  /** What `key` is told that was not let in. */
  refusal(key: string): Error {
    const isOwnDoing = this.#running.has(key) || this.#waiting.has(key);
    return this.#options.refuse(isOwnDoing ? "key" : "all");
  }

  /** Takes a place, waiting for it if need be; fails with the signal's reason when that comes first. */
  async enter(key: string, signal?: AbortSignal): Promise<void> {
    if (!this.tryEnter(key)) await this.#wait(key, signal);
  }

  /** Gives a place back, or hands it on. */
  leave(key: string): void {
    const running = (this.#running.get(key) ?? 1) - 1;
    if (running > 0) this.#running.set(key, running);
    else this.#running.delete(key);
    this.#runningInAll -= 1;
    if (this.#waitingInAll > 0) this.#letIn();
  }

  /** Runs `work` in a place of `key`. */
  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.enter(key, signal);
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  #isFree(running: number): boolean {
    const { max, maxPerKey } = this.#options;
    return running < maxPerKey && running < max - this.#runningInAll;
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { waitingMax, waitingMaxPerKey, waitMs } = this.#options;
    const ofKey = this.#waiting.get(key) ?? new Set();
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (ofKey.size >= waitingMaxPerKey || this.#waitingInAll >= waitingMax) return reject(this.refusal(key));
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        ofKey.delete(waiter);
        this.#waitingInAll -= 1;
        if (ofKey.size === 0) this.#waiting.delete(key);
      };
      const onAbort = () => {
        end();
        reject(signal?.reason);
      };
      const onLate = () => {
        end();
        reject(this.refusal(key));
      };
      const waiter: Waiter = {
        go: () => {
          end();
          resolve();
        },
      };
      const timer = waitMs === Infinity ? undefined : setTimeout(onLate, waitMs);
      signal?.addEventListener("abort", onAbort);
      ofKey.add(waiter);
      this.#waiting.set(key, ofKey);
      this.#waitingInAll += 1;
    });
  }

  /** Gives what is free to those who wait: a key that gets a place goes to the end of the turns. */
  #letIn(): void {
    for (const [key, [first]] of this.#waiting) {
      if (first === undefined || !this.tryEnter(key)) continue;
      first.go();
      const rest = this.#waiting.get(key);
      if (rest === undefined) continue;
      // Set anew, it is met again in this very loop, after the others.
      this.#waiting.delete(key);
      this.#waiting.set(key, rest);
    }
  }
}
