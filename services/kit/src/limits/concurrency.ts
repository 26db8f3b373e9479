// Fair shares of something that many use at once: concurrent work per key, such as an application. A key holds at most
// `maxPerKey` places and never more than are left over (dynamic threshold): alone it gets half of `max`, and whoever comes
// next finds a place. Who waits is let in in the order of coming, keys by turns (round robin).

export interface ConcurrencyOptions {
  /** Places of all keys together. */
  readonly max?: number;
  /** Places of one key. */
  readonly maxPerKey?: number;
  /** How many may wait for a place: of one key, and in all. */
  readonly queueMaxPerKey?: number;
  readonly queueMax?: number;
  /** How long one waits at most. */
  readonly queueTimeoutMs?: number;
  /**
   * The error for whoever gets no place: `key` when the key holds some already or has too many waiting, `all` when other
   * keys have taken them.
   */
  readonly reject: (whose: "key" | "all") => Error;
}

interface Waiter {
  readonly go: () => void;
}

export class TenantConcurrencyLimiter {
  readonly #options: Required<ConcurrencyOptions>;
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  /** Keys in the order of their turns; none without a waiter. */
  readonly #waiting = new Map<string, Set<Waiter>>();
  #waitingInAll = 0;

  constructor(options: ConcurrencyOptions) {
    const unlimited = { max: Infinity, maxPerKey: Infinity, queueMax: Infinity, queueTimeoutMs: Infinity };
    this.#options = { ...unlimited, queueMaxPerKey: 0, ...options };
  }

  /** How many wait for a place. */
  get waiting(): number {
    return this.#waitingInAll;
  }

  /** Takes a place when one is free for `key`; who was let in calls `release` in the end. */
  tryAcquire(key: string): boolean {
    const running = this.#running.get(key) ?? 0;
    if (!this.#isFree(running)) return false;
    this.#running.set(key, running + 1);
    this.#runningInAll += 1;
    return true;
  }

  /** Takes a place for `key` although none may be free: for work that must not wait while it holds another place. */
  acquireUnchecked(key: string): void {
    this.#running.set(key, (this.#running.get(key) ?? 0) + 1);
    this.#runningInAll += 1;
  }

  /** What `key` is told that was not let in. */
  rejection(key: string): Error {
    const isOwnDoing = this.#running.has(key) || this.#waiting.has(key);
    return this.#options.reject(isOwnDoing ? "key" : "all");
  }

  /** Takes a place, waiting for it if need be; fails with the signal's reason when that comes first. */
  async acquire(key: string, signal?: AbortSignal): Promise<void> {
    if (!this.tryAcquire(key)) await this.#wait(key, signal);
  }

  /** Gives a place back, or hands it on. */
  release(key: string): void {
    const running = (this.#running.get(key) ?? 1) - 1;
    if (running > 0) this.#running.set(key, running);
    else this.#running.delete(key);
    this.#runningInAll -= 1;
    if (this.#waitingInAll > 0) this.#letIn();
  }

  /** Runs `work` in a place of `key`. */
  async run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.acquire(key, signal);
    try {
      return await work();
    } finally {
      this.release(key);
    }
  }

  #isFree(running: number): boolean {
    const { max, maxPerKey } = this.#options;
    return running < maxPerKey && running < max - this.#runningInAll;
  }

  #wait(key: string, signal: AbortSignal | undefined): Promise<void> {
    const { queueMax, queueMaxPerKey, queueTimeoutMs } = this.#options;
    const ofKey = this.#waiting.get(key) ?? new Set();
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (ofKey.size >= queueMaxPerKey || this.#waitingInAll >= queueMax) return reject(this.rejection(key));
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
        reject(this.rejection(key));
      };
      const waiter: Waiter = {
        go: () => {
          end();
          resolve();
        },
      };
      const timer = queueTimeoutMs === Infinity ? undefined : setTimeout(onLate, queueTimeoutMs);
      signal?.addEventListener("abort", onAbort);
      ofKey.add(waiter);
      this.#waiting.set(key, ofKey);
      this.#waitingInAll += 1;
    });
  }

  /** Gives what is free to those who wait: a key that gets a place goes to the end of the turns. */
  #letIn(): void {
    for (const [key, [first]] of this.#waiting) {
      if (first === undefined || !this.tryAcquire(key)) continue;
      first.go();
      const rest = this.#waiting.get(key);
      if (rest === undefined) continue;
      // Set anew, it is met again in this very loop, after the others.
      this.#waiting.delete(key);
      this.#waiting.set(key, rest);
    }
  }
}
