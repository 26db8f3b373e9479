// Who fails to authenticate is slowed down: the failures' own answers wait, and ever longer. A key that is valid waits for
// nobody's failures, so neighbours behind one address, or a forged one, cost it nothing.

import { setTimeout as delay } from "node:timers/promises";
import { tooManyRequests, unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { TokenBuckets } from "@ems/kit/limits/token-bucket";
import type { GatewayConfig } from "../config.ts";

/** Addresses whose failures are remembered. */
const networksMax = 50_000;
const message = "Too many failed authentications from this address";

type FailuresConfig = Pick<
  GatewayConfig,
  "AUTH_FAILURES_PER_MINUTE" | "AUTH_FAILURE_DELAY_MAX_MS" | "AUTH_FAILURES_DELAYED_MAX"
>;

export class AuthFailures {
  readonly #rate: TokenBuckets;
  readonly #delayMaxMs: number;
  /** Answers that wait. */
  readonly #held: TenantConcurrencyLimiter;

  constructor({ AUTH_FAILURES_PER_MINUTE, AUTH_FAILURE_DELAY_MAX_MS, AUTH_FAILURES_DELAYED_MAX }: FailuresConfig) {
    const policy = { name: "failures", perMinute: AUTH_FAILURES_PER_MINUTE, burst: AUTH_FAILURES_PER_MINUTE, message };
    this.#rate = new TokenBuckets(policy, networksMax);
    this.#delayMaxMs = AUTH_FAILURE_DELAY_MAX_MS;
    this.#held = new TenantConcurrencyLimiter({
      max: AUTH_FAILURES_DELAYED_MAX,
      reject: (whose) =>
        whose === "key"
          ? tooManyRequests(message, AUTH_FAILURE_DELAY_MAX_MS)
          : unavailable("Too many failed authentications at once", undefined, AUTH_FAILURE_DELAY_MAX_MS),
    });
  }

  /**
   * Counts a failure, and settles when it may be answered, or its client has gone. Throws tooManyRequests, or unavailable, when too
   * many wait already: an answer that is late holds a connection.
   */
  async slowDown(network: string, gone?: AbortSignal): Promise<void> {
    this.#rate.charge(network, 1);
    const delayMs = Math.min(this.#rate.waitMs(network, 0), this.#delayMaxMs);
    if (delayMs === 0) return;
    if (!this.#held.tryAcquire(network)) throw this.#held.rejection(network);
    try {
      await delay(delayMs, undefined, gone && { signal: gone }).catch(() => undefined);
    } finally {
      this.#held.release(network);
    }
  }
}
