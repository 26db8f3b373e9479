// Who fails to authenticate is slowed down: the failures' own answers wait, and ever longer. A key that is valid waits for
// nobody's failures, so neighbours behind one address, or a forged one, cost it nothing.

import { setTimeout as delay } from "node:timers/promises";
import { tooMany, unavailable } from "@ems/kit/errors";
import { RateLimit } from "@ems/kit/limits/rate";
import { Shares } from "@ems/kit/limits/shares";
import type { GatewayConfig } from "../config.ts";

/** Addresses whose failures are remembered. */
const networksMax = 50_000;
const message = "Too many failed authentications from this address";

type FailuresConfig = Pick<
  GatewayConfig,
  "AUTH_FAILURES_PER_MINUTE" | "AUTH_FAILURE_DELAY_MAX_MS" | "AUTH_FAILURES_DELAYED_MAX"
>;

export class AuthFailures {
  readonly #rate: RateLimit;
  readonly #delayMaxMs: number;
  /** Answers that wait. */
  readonly #held: Shares;

  constructor({ AUTH_FAILURES_PER_MINUTE, AUTH_FAILURE_DELAY_MAX_MS, AUTH_FAILURES_DELAYED_MAX }: FailuresConfig) {
    const policy = { name: "failures", perMinute: AUTH_FAILURES_PER_MINUTE, burst: AUTH_FAILURES_PER_MINUTE, message };
    this.#rate = new RateLimit(policy, networksMax);
    this.#delayMaxMs = AUTH_FAILURE_DELAY_MAX_MS;
    this.#held = new Shares({
      max: AUTH_FAILURES_DELAYED_MAX,
      refuse: (whose) =>
        whose === "key"
          ? tooMany(message, AUTH_FAILURE_DELAY_MAX_MS)
          : unavailable("Too many failed authentications at once", undefined, AUTH_FAILURE_DELAY_MAX_MS),
    });
  }

  /**
   * Counts a failure, and settles when it may be answered, or its client has gone. Throws tooMany, or unavailable, when too
   * many wait already: an answer that is late holds a connection.
   */
  async slowDown(network: string, gone?: AbortSignal): Promise<void> {
    this.#rate.charge(network, 1);
    const delayMs = Math.min(this.#rate.waitMs(network, 0), this.#delayMaxMs);
    if (delayMs === 0) return;
    if (!this.#held.tryEnter(network)) throw this.#held.refusal(network);
    try {
      await delay(delayMs, undefined, gone && { signal: gone }).catch(() => undefined);
    } finally {
      this.#held.leave(network);
    }
  }
}
