// Event-loop yielding: heavy synchronous work runs once per turn of the event loop, applications round robin.

import { setImmediate } from "node:timers/promises";
import { overloaded } from "../errors.ts";
import { watchdog } from "../telemetry/watchdog.ts";
import { TenantConcurrencyLimiter } from "./concurrency.ts";

/** Heavy work in one turn, after which others have theirs. */
export const sliceMs = 5;

export class EventLoopYield {
  /** Unbounded queue: the callers' own concurrency limits bound it. */
  readonly #queue = new TenantConcurrencyLimiter({
    max: 1,
    queueMaxPerKey: Infinity,
    reject: () => overloaded("Service unavailable"),
  });

  #grantedMs = 0;

  /** Resolves when the application may run; at once unless other heavy work has run in this turn of the event loop. */
  async wait(applicationId: string): Promise<void> {
    await watchdog.wait(this.#queue.acquire(applicationId));
    this.#grantedMs = performance.now();
    void setImmediate().then(() => this.#queue.release(applicationId));
  }

  /** Between the steps of heavy work: waits if a slice is over. */
  async waitAfterSlice(applicationId: string): Promise<void> {
    if (performance.now() - this.#grantedMs >= sliceMs) await this.wait(applicationId);
  }
}

/** Of all that runs in this process. */
export const eventLoop = new EventLoopYield();
