// Turns of the event loop during long reads.

import { setImmediate } from "node:timers/promises";

/** Work between two turns of the event loop, by default. */
const defaultSliceMs = 15;

/** Yields to the event loop when a slice of work is over. Ask after each row or some hundred values: asking costs 50 ns. */
export class Pace {
  readonly #sliceMs: number;
  #startedMs = performance.now();

  constructor(sliceMs = defaultSliceMs) {
    this.#sliceMs = sliceMs;
  }

  get isDue(): boolean {
    return performance.now() - this.#startedMs >= this.#sliceMs;
  }

  /** Lets the event loop handle what waits. */
  async turn(): Promise<void> {
    await setImmediate();
    this.#startedMs = performance.now();
  }
}
