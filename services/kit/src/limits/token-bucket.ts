// Token buckets, one a key, in this process's memory: a burst is let through and a flood is not.

import { TokenBucket } from "limiter";
import { LRUCache } from "lru-cache";
import { tooManyRequests } from "../errors.ts";

const minuteMs = 60_000;

/** How much may be asked: `burst` at once after a pause, and `perMinute` steadily. */
export interface RatePolicy {
  /** As the headers name it. */
  readonly name: string;
  readonly perMinute: number;
  readonly burst: number;
  /** What is counted, where that is not requests. */
  readonly unit?: string;
  /** What whoever is over it is told; says who is limited. */
  readonly message: string;
}

/** One policy, with a bucket for each key; the buckets of the keys that came last are kept. */
export class TokenBuckets {
  readonly policy: RatePolicy;
  readonly #buckets: LRUCache<string, TokenBucket>;

  constructor(policy: RatePolicy, keysMax: number) {
    this.policy = policy;
    this.#buckets = new LRUCache({ max: keysMax });
  }

  /** What is left for the key: below zero when it was charged for more than there was. */
  remaining(key: string): number {
    const bucket = this.#bucket(key);
    bucket.drip();
    return bucket.content;
  }

  /** How long until the key may take that much. What costs more than the burst may be taken from a full bucket. */
  waitMs(key: string, cost: number): number {
    return Math.max(0, Math.round(this.#msFor(Math.min(cost, this.policy.burst) - this.remaining(key))));
  }

  /**
   * Takes what is known to be owed, whether or not it is there, so that the next request waits; for a minute at most,
   * which bounds the debt.
   */
  charge(key: string, cost: number): void {
    const bucket = this.#bucket(key);
    bucket.content = Math.max(this.remaining(key) - cost, Math.min(bucket.content, 1 - this.policy.perMinute));
  }

  /** How long until the bucket is full again. */
  msUntilFull(key: string): number {
    return this.#msFor(this.policy.burst - this.remaining(key));
  }

  #msFor(tokens: number): number {
    return (tokens * minuteMs) / this.policy.perMinute;
  }

  #bucket(key: string): TokenBucket {
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const { burst, perMinute } = this.policy;
    const bucket = new TokenBucket({ bucketSize: burst, tokensPerInterval: perMinute, interval: minuteMs });
    bucket.content = burst;
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

/** One limit as it holds for one request. */
export interface BucketKey {
  readonly limit: TokenBuckets;
  readonly key: string;
}

/**
 * Takes `cost` from each of `taken`, or from none: throws tooManyRequests when one has not enough, which costs nothing. The headers, of
 * answer and error, tell of `told`: all limits that hold for the request.
 */
export function consumeAll(taken: readonly BucketKey[], told = taken, cost = 1): Record<string, string> {
  for (const { limit, key } of taken) {
    const waitMs = limit.waitMs(key, cost);
    if (waitMs > 0) throw tooManyRequests(limit.policy.message, waitMs, rateLimitHeaders(told));
  }
  for (const { limit, key } of taken) limit.charge(key, cost);
  return rateLimitHeaders(told);
}

/**
 * `RateLimit-Policy` and `TokenBuckets` (IETF draft-ietf-httpapi-ratelimit-headers). A bucket lets through its burst in each window
 * of the time that it takes to fill: that is the policy's quota, and who keeps to it is never refused.
 */
export function rateLimitHeaders(limits: readonly BucketKey[]): Record<string, string> {
  return {
    "ratelimit-policy": limits.map(({ limit }) => policyItem(limit.policy)).join(", "),
    ratelimit: limits.map(stateItem).join(", "),
  };
}

/** A policy as the header tells it. */
export function policyItem(policy: RatePolicy): string {
  const { name, burst, unit } = policy;
  return `"${name}";q=${burst};w=${windowSeconds(policy)}${unit === undefined ? "" : `;qu="${unit}"`}`;
}

/** In how many seconds the whole burst is there again: so much may be asked in any window of that length. */
export function windowSeconds({ perMinute, burst }: RatePolicy): number {
  return Math.ceil((burst * 60) / perMinute);
}

function stateItem({ limit, key }: BucketKey): string {
  const left = Math.max(0, Math.floor(limit.remaining(key)));
  return `"${limit.policy.name}";r=${left};t=${Math.ceil(limit.msUntilFull(key) / 1000)}`;
}
