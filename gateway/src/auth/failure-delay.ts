// Penalty delay: responses to failed authentications wait, progressively longer per client network. Valid keys never
// wait, so a client behind a shared or forged address cannot slow down others.

import { setTimeout as sleep } from "node:timers/promises";
import { overloaded, rateLimited } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";
import { TokenBuckets } from "@ems/kit/limits/token-bucket";
import type { GatewayConfig } from "../config.ts";

/** Client networks tracked; the least recently seen are forgotten first. */
const networksMax = 50_000;
const message = "Too many failed authentications from this address; wait and check the API key";

type Config = Pick<
  GatewayConfig,
  "AUTH_FAILURES_PER_MINUTE" | "AUTH_FAILURE_DELAY_MAX_MS" | "AUTH_FAILURES_DELAYED_MAX"
>;

export class FailureDelay {
  readonly #rate: TokenBuckets;
  readonly #delayMaxMs: number;
  readonly #delayed: TenantConcurrencyLimiter;

  constructor({ AUTH_FAILURES_PER_MINUTE, AUTH_FAILURE_DELAY_MAX_MS, AUTH_FAILURES_DELAYED_MAX }: Config) {
    const policy = { name: "failures", perMinute: AUTH_FAILURES_PER_MINUTE, burst: AUTH_FAILURES_PER_MINUTE, message };
    this.#rate = new TokenBuckets(policy, networksMax);
    this.#delayMaxMs = AUTH_FAILURE_DELAY_MAX_MS;
    this.#delayed = new TenantConcurrencyLimiter({
      max: AUTH_FAILURES_DELAYED_MAX,
      reject: (whose) =>
        whose === "key"
          ? rateLimited(policy.name, message, AUTH_FAILURE_DELAY_MAX_MS)
          : overloaded("Too many failed authentications at once; retry later", AUTH_FAILURE_DELAY_MAX_MS),
    });
  }

  /**
   * Counts a failure and resolves after its delay. Throws when too many responses are delayed, since each holds a
   * connection.
   */
  async delay(network: string, signal?: AbortSignal): Promise<void> {
    this.#rate.charge(network, 1);
    const delayMs = Math.min(this.#rate.waitMs(network, 0), this.#delayMaxMs);
    if (delayMs === 0) return;
    this.#delayed.acquireNow(network);
    try {
      await sleep(delayMs, undefined, signal && { signal }).catch(() => undefined);
    } finally {
      this.#delayed.release(network);
    }
  }
}
