// Heavy synchronous work, such as parsing a large body or writing a large answer, takes turns with everything else that the
// event loop has to do: of what is ready at once, each waits until the loop has gone round after the one before.

import { setImmediate } from "node:timers/promises";
import { unavailable } from "@ems/kit/errors";
import { Shares } from "@ems/kit/limits/shares";

export class LoopTurns {
  /** Applications by turns. Those who wait have places of their own at the gateway, which bound them. */
  readonly #turns = new Shares({ max: 1, waitingMaxPerKey: Infinity, refuse: () => unavailable() });

  /** Resolves when it is the application's turn: at once, unless another one was taken in this round of the event loop. */
  async take(applicationId: string): Promise<void> {
    await this.#turns.enter(applicationId);
    void setImmediate().then(() => this.#turns.leave(applicationId));
  }
}
