// Cache of identity's answers about callers: fresh for seconds, then stale-while-revalidate, so that most requests need
// no extra call.

import { type Clock, monotonicMs } from "@ems/kit/clock";
import { Code, ConnectError } from "@ems/kit/errors";
import { entriesAtMost } from "@ems/kit/limits/cache-entries";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "../config.ts";

interface Cached<Value> {
  readonly value: Value;
  readonly atMs: number;
}

type Load<Value> = () => Promise<Value | undefined>;

/** Maximum number of cached unknown keys. Their cache is separate, so that they cannot evict valid keys. */
const unknownMax = 10_000;

export class RevalidatedCache<Value extends object> {
  readonly #config: GatewayConfig;
  readonly #clock: Clock;
  readonly #values: LRUCache<string, Cached<Value>>;
  /** Unknown keys, with the time at which identity answered that it does not know them. */
  readonly #unknownAtMs = new LRUCache<string, number>(entriesAtMost(unknownMax));
  readonly #inFlight = new Map<string, Promise<Value | undefined>>();
  /** Incremented by `forget`; results of loads that started earlier are not cached. */
  #generation = 0;

  constructor(config: GatewayConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
    this.#values = new LRUCache(entriesAtMost(config.AUTH_CACHE_KEYS_MAX));
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  /**
   * Returns the key's value, loading it with `loadUnseen` on a cache miss; undefined when there is none. Throws what
   * `load` throws.
   */
  async find(key: string, load: Load<Value>, loadUnseen = load): Promise<Value | undefined> {
    const cached = this.#values.get(key);
    if (cached === undefined) return this.#findUnseen(key, loadUnseen);
    const ageMs = this.#ageMs(cached.atMs);
    if (ageMs >= this.#config.AUTH_HARD_MAX_MS) return this.#revalidate(key, cached, load);
    // Background revalidation: if it fails, the cached answer remains valid until its hard limit.
    if (ageMs >= this.#config.AUTH_FRESH_MS) this.#load(key, load).catch(() => undefined);
    return cached.value;
  }

  /** Removes matching values from the cache. */
  forget(isForgotten: (value: Value) => boolean): void {
    this.#generation++;
    this.#inFlight.clear();
    for (const [key, { value }] of this.#values.entries()) if (isForgotten(value)) this.#values.delete(key);
  }

  async #findUnseen(key: string, load: Load<Value>): Promise<Value | undefined> {
    const unknownAtMs = this.#unknownAtMs.get(key);
    if (unknownAtMs !== undefined && this.#ageMs(unknownAtMs) < this.#config.AUTH_NEGATIVE_MS) return undefined;
    return this.#load(key, load);
  }

  /** Stale-if-error: while identity is unreachable, the cached answer remains valid for a limited time. */
  async #revalidate(key: string, cached: Cached<Value>, load: Load<Value>): Promise<Value | undefined> {
    try {
      return await this.#load(key, load);
    } catch (error) {
      const isUsable = this.#ageMs(cached.atMs) < this.#config.AUTH_STALE_IF_UNREACHABLE_MS;
      if (isUsable && isOutage(error)) return cached.value;
      throw error;
    }
  }

  /** Single flight per key. Errors are not cached. */
  #load(key: string, load: Load<Value>): Promise<Value | undefined> {
    const running = this.#inFlight.get(key);
    if (running !== undefined) return running;
    const generation = this.#generation;
    const started = load()
      .then((value) => {
        if (generation === this.#generation) this.#cache(key, value);
        return value;
      })
      .finally(() => {
        if (this.#inFlight.get(key) === started) this.#inFlight.delete(key);
      });
    this.#inFlight.set(key, started);
    return started;
  }

  #cache(key: string, value: Value | undefined): void {
    const atMs = monotonicMs(this.#clock);
    if (value === undefined) {
      this.#values.delete(key);
      this.#unknownAtMs.set(key, atMs);
    } else {
      this.#unknownAtMs.delete(key);
      this.#values.set(key, { value, atMs });
    }
  }

  #ageMs(atMs: number): number {
    return monotonicMs(this.#clock) - atMs;
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof ConnectError && (error.code === Code.Unavailable || error.code === Code.DeadlineExceeded);
}
