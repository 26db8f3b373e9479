// How much one key may ask, and how often one address may fail to show a key; counted in this process's memory.

import { tooMany } from "@ems/kit/errors";
import { RateLimiter, TokenBucket } from "limiter";
import { LRUCache } from "lru-cache";
import type { GatewayConfig } from "./config.ts";

const minuteMs = 60_000;

/** A bucket of tokens a key, filled steadily, so that a burst is let through and a flood is not. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #burst: number;
  readonly #buckets: LRUCache<string, TokenBucket>;

  constructor({ RATE_LIMIT_PER_MINUTE, RATE_LIMIT_BURST, AUTH_CACHE_KEYS_MAX }: GatewayConfig) {
    this.#perMinute = RATE_LIMIT_PER_MINUTE;
    this.#burst = RATE_LIMIT_BURST;
    this.#buckets = new LRUCache({ max: AUTH_CACHE_KEYS_MAX });
  }

  /**
   * Takes one request from what the key may ask; answers the headers `RateLimit-Policy` and `RateLimit` (IETF draft) that
   * tell how much that is and what is left. Throws tooMany when nothing is left, with the same headers.
   */
  take(keyId: string): Record<string, string> {
    const bucket = this.#bucket(keyId);
    const isTaken = bucket.tryRemoveTokens(1);
    const left = bucket.content;
    const headers = this.#headers(left);
    if (!isTaken) throw tooMany("Too many requests", this.#msUntil(1 - left), headers);
    return headers;
  }

  #headers(left: number): Record<string, string> {
    const resetSeconds = Math.ceil(this.#msUntil(this.#burst - left) / 1000);
    return {
      "ratelimit-policy": `"key";q=${this.#perMinute};w=60`,
      ratelimit: `"key";r=${Math.floor(left)};t=${resetSeconds}`,
    };
  }

  #bucket(keyId: string): TokenBucket {
    const known = this.#buckets.get(keyId);
    if (known !== undefined) return known;
    const bucket = new TokenBucket({ bucketSize: this.#burst, tokensPerInterval: this.#perMinute, interval: minuteMs });
    bucket.content = this.#burst;
    this.#buckets.set(keyId, bucket);
    return bucket;
  }

  #msUntil(tokens: number): number {
    return (tokens * minuteMs) / this.#perMinute;
  }
}

/** So many failed authentications a minute and address, then none until the minute is over. */
export class FailureLimit {
  readonly #perMinute: number;
  readonly #failed: LRUCache<string, RateLimiter>;

  constructor({ AUTH_FAILURES_PER_MINUTE, AUTH_CACHE_KEYS_MAX }: GatewayConfig) {
    this.#perMinute = AUTH_FAILURES_PER_MINUTE;
    this.#failed = new LRUCache({ max: AUTH_CACHE_KEYS_MAX });
  }

  /** Throws tooMany when the address has failed as often as it may. */
  check(address: string): void {
    const waitMs = this.#failed.get(address)?.getWaitTime(1) ?? 0;
    if (waitMs > 0) throw tooMany("Too many failed authentications", waitMs);
  }

  /** Counts a failure; that the limit is reached is for the next request to hear. */
  count(address: string): void {
    const known = this.#failed.get(address);
    const failed = known ?? new RateLimiter({ tokensPerInterval: this.#perMinute, interval: minuteMs });
    this.#failed.set(address, failed);
    failed.tryRemoveTokens(1);
  }
}
