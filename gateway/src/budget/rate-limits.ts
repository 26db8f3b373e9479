// Token buckets per API key or member, per application and per RPC, in this process's memory.

import {
  type BucketKey,
  consumeAll,
  type RatePolicy,
  rateLimitHeaders,
  TokenBuckets,
} from "@ems/kit/limits/token-bucket";
import type { GatewayConfig } from "../config.ts";

/** Calling API key or signed-in member. */
export interface Caller {
  readonly keyId?: string;
  readonly memberId?: string;
  readonly applicationId: string;
}

export type RatePolicies = Readonly<Record<string, RatePolicy>>;

/**
 * Rate limits. `application` and `key` apply to every request, the others to RPCs that name them (`rate_limit` in
 * proto).
 */
const policies = {
  application: { settings: "RATE_LIMIT_APPLICATION", message: "Too many requests of this application" },
  key: { settings: "RATE_LIMIT", message: "Too many requests with this API key" },
  feedback: { settings: "RATE_LIMIT_FEEDBACK", message: "Too much feedback of this application" },
  invitation: { settings: "RATE_LIMIT_INVITATION", message: "Too many invitations of this application" },
  "webhook-test": { settings: "RATE_LIMIT_WEBHOOK_TEST", message: "Too many webhook tests of this application" },
  "definition-trial": { settings: "RATE_LIMIT_TRIAL", message: "Too many definition trials of this application" },
  ingest: { settings: "RATE_LIMIT_INGEST_ROWS", message: "Too many ingested rows of this application", unit: "rows" },
} as const;

export function ratePolicies(config: GatewayConfig): RatePolicies {
  return Object.fromEntries(
    Object.entries(policies).map(([name, { settings, ...policy }]) => {
      const [perMinute, burst] = [config[`${settings}_PER_MINUTE`], config[`${settings}_BURST`]];
      return [name, { name, perMinute, burst, ...policy }];
    }),
  );
}

/** Rate limit of reflection, which needs no key: per address. */
export function reflectionLimit(config: GatewayConfig): TokenBuckets {
  const { RATE_LIMIT_REFLECTION_PER_MINUTE: perMinute, RATE_LIMIT_REFLECTION_BURST: burst } = config;
  const message = "Too many reflection requests from this address";
  return new TokenBuckets({ name: "reflection", perMinute, burst, message }, config.AUTH_CACHE_KEYS_MAX);
}

/** The rate limits of the API. Each method returns the `RateLimit` headers and throws rateLimited with the same headers. */
export class RateLimits {
  readonly #limits: ReadonlyMap<string, TokenBuckets>;

  constructor(config: GatewayConfig) {
    const policies = Object.values(ratePolicies(config));
    this.#limits = new Map(
      policies.map((policy) => [policy.name, new TokenBuckets(policy, config.AUTH_CACHE_KEYS_MAX)]),
    );
  }

  /** Consumes one token for a request. */
  consume(caller: Caller): Record<string, string> {
    return consumeAll(this.#general(caller));
  }

  /** Consumes the request's cost from the bucket of the rate limit that its RPC declares. */
  consumePolicy(caller: Caller, policy: string, cost: number): Record<string, string> {
    const limited = { limit: this.#limit(policy), key: caller.applicationId };
    return consumeAll([limited], [...this.#general(caller), limited], cost);
  }

  /** Charges a cost that only the response reports. It may leave a debt, for which the next request waits. */
  chargePolicy(caller: Caller, policy: string, cost: number): Record<string, string> {
    const limit = this.#limit(policy);
    limit.charge(caller.applicationId, cost);
    return rateLimitHeaders([...this.#general(caller), { limit, key: caller.applicationId }]);
  }

  /** Consumes a body's cost, which may leave a debt. Throws only while an earlier debt is unpaid. */
  consumeBody(caller: Caller, tokens: number): Record<string, string> {
    const limits = this.#general(caller);
    consumeAll(limits, undefined, 0);
    for (const { limit, key } of limits) limit.charge(key, tokens);
    return rateLimitHeaders(limits);
  }

  #general({ applicationId, keyId, memberId }: Caller): BucketKey[] {
    return [
      { limit: this.#limit("application"), key: applicationId },
      { limit: this.#limit("key"), key: keyId ?? memberId ?? "" },
    ];
  }

  #limit(policy: string): TokenBuckets {
    const limit = this.#limits.get(policy);
    if (limit === undefined) throw new Error(`Unknown rate limit: ${policy}`);
    return limit;
  }
}
