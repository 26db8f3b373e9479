// Turns of the event loop during long reads.

import { setImmediate } from "node:timers/promises";

/** Work between two turns of the event loop. */
const sliceMs = 15;

/** Yields to the event loop when a slice of work is over. Ask after each row or some hundred values: asking costs 50 ns. */
export class Pace {
  #startedMs = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#startedMs >= sliceMs;
  }

  /** Lets the event loop handle what waits. */
  async turn(): Promise<void> {
    await setImmediate();
    this.#startedMs = performance.now();
  }
}
