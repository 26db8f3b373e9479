// How much an application and each of its keys may ask, counted in this process's memory.

import {
  type BucketKey,
  consumeAll,
  type RatePolicy,
  rateLimitHeaders,
  TokenBuckets,
} from "@ems/kit/limits/token-bucket";
import type { GatewayConfig } from "../config.ts";

/** Whose request it is. */
interface Asker {
  readonly keyId: string;
  readonly applicationId: string;
}

export type RatePolicies = Readonly<Record<string, RatePolicy>>;

/** The policies of the settings: of every request by `application` and `key`, and those that RPCs name. */
export function ratePolicies(config: GatewayConfig): RatePolicies {
  return {
    application: {
      name: "application",
      perMinute: config.RATE_LIMIT_APPLICATION_PER_MINUTE,
      burst: config.RATE_LIMIT_APPLICATION_BURST,
      message: "Too many requests of this application",
    },
    key: {
      name: "key",
      perMinute: config.RATE_LIMIT_PER_MINUTE,
      burst: config.RATE_LIMIT_BURST,
      message: "Too many requests with this API key",
    },
    feedback: {
      name: "feedback",
      perMinute: config.RATE_LIMIT_FEEDBACK_PER_MINUTE,
      burst: config.RATE_LIMIT_FEEDBACK_BURST,
      message: "Too much feedback of this application",
    },
    "webhook-test": {
      name: "webhook-test",
      perMinute: config.RATE_LIMIT_WEBHOOK_TEST_PER_MINUTE,
      burst: config.RATE_LIMIT_WEBHOOK_TEST_BURST,
      message: "Too many webhook tests of this application",
    },
    ingest: {
      name: "ingest",
      perMinute: config.RATE_LIMIT_INGEST_ROWS_PER_MINUTE,
      burst: config.RATE_LIMIT_INGEST_ROWS_BURST,
      unit: "rows",
      message: "Too many rows to store of this application",
    },
  };
}

/** What applications and keys may ask. Each method answers the headers that tell of the limits that it knows of. */
export class RateLimits {
  readonly #limits: ReadonlyMap<string, TokenBuckets>;

  constructor(config: GatewayConfig) {
    const policies = Object.values(ratePolicies(config));
    this.#limits = new Map(
      policies.map((policy) => [policy.name, new TokenBuckets(policy, config.AUTH_CACHE_KEYS_MAX)]),
    );
  }

  /** Takes one request. Throws tooManyRequests, with the same headers. */
  take(asker: Asker): Record<string, string> {
    return consumeAll(this.#general(asker));
  }

  /** Takes what a request costs under the policy of its RPC. Throws tooManyRequests, with the same headers. */
  takeOwn(asker: Asker, policy: string, cost: number): Record<string, string> {
    const own = { limit: this.#limit(policy), key: asker.applicationId };
    return consumeAll([own], [...this.#general(asker), own], cost);
  }

  /** Charges for what a request turned out to cost beyond itself: the next one waits for it. */
  charge(asker: Asker, tokens: number): Record<string, string> {
    const limits = this.#general(asker);
    for (const { limit, key } of limits) limit.charge(key, tokens);
    return rateLimitHeaders(limits);
  }

  /** The same, unless what earlier requests cost is still waited for: then throws tooManyRequests. */
  spend(asker: Asker, tokens: number): Record<string, string> {
    consumeAll(this.#general(asker), undefined, 0);
    return this.charge(asker, tokens);
  }

  #general({ applicationId, keyId }: Asker): BucketKey[] {
    return [
      { limit: this.#limit("application"), key: applicationId },
      { limit: this.#limit("key"), key: keyId },
    ];
  }

  #limit(policy: string): TokenBuckets {
    const limit = this.#limits.get(policy);
    if (limit === undefined) throw new Error(`No rate limit is named ${policy}`);
    return limit;
  }
}
