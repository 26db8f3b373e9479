// Heavy synchronous work, such as parsing a large body or writing a large answer, takes turns with everything else that the
// event loop has to do: of what is ready at once, each waits until the loop has gone round after the one before.

import { setImmediate } from "node:timers/promises";
import { unavailable } from "@ems/kit/errors";
import { TenantConcurrencyLimiter } from "@ems/kit/limits/concurrency";

export class LoopTurns {
  /** Applications by turns. Those who wait have places of their own at the gateway, which bound them. */
  readonly #turns = new TenantConcurrencyLimiter({ max: 1, queueMaxPerKey: Infinity, reject: () => unavailable() });

  /** Resolves when it is the application's turn: at once, unless another one was taken in this round of the event loop. */
  async take(applicationId: string): Promise<void> {
    await this.#turns.acquire(applicationId);
    void setImmediate().then(() => this.#turns.release(applicationId));
  }
}
