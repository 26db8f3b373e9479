// Yields to the event loop during long reads.

import { setImmediate } from "node:timers/promises";

/** Default duration of work between two turns of the event loop, in milliseconds. */
const defaultSliceMs = 15;

/**
 * Yields to the event loop after a slice of work. Call it after each row or a few hundred values: a call costs 50 ns.
 */
export class Pace {
  readonly #sliceMs: number;
  #startedMs = performance.now();

  constructor(sliceMs = defaultSliceMs) {
    this.#sliceMs = sliceMs;
  }

  get isDue(): boolean {
    return performance.now() - this.#startedMs >= this.#sliceMs;
  }

  /** Lets the event loop run waiting work. */
  async turn(): Promise<void> {
    await setImmediate();
    this.#startedMs = performance.now();
  }
}
