// Event-loop yielding: heavy synchronous work runs once per turn of the event loop, round robin by application.

import { setImmediate } from "node:timers/promises";
import { overloaded } from "../errors.ts";
import { watchdog } from "../telemetry/watchdog.ts";
import { TenantConcurrencyLimiter } from "./concurrency.ts";

/** Maximum duration of heavy work in one turn, in milliseconds, after which other work runs. */
export const sliceMs = 5;

export class EventLoopYield {
  /** The queue has no limit of its own: the callers' concurrency limits bound it. */
  readonly #queue = new TenantConcurrencyLimiter({
    max: 1,
    queueMaxPerKey: Infinity,
    reject: () => overloaded("Service unavailable"),
  });

  #grantedMs = 0;

  /**
   * Resolves when the application may run; immediately unless other heavy work has run in this turn of the event loop.
   */
  async wait(applicationId: string): Promise<void> {
    await watchdog.wait(this.#queue.acquire(applicationId));
    this.#grantedMs = performance.now();
    void setImmediate().then(() => this.#queue.release(applicationId));
  }

  /** Waits between the steps of heavy work if a slice is over. */
  async waitAfterSlice(applicationId: string): Promise<void> {
    if (performance.now() - this.#grantedMs >= sliceMs) await this.wait(applicationId);
  }
}

/** Shared by all work in this process. */
export const eventLoop = new EventLoopYield();
