// Splits long computations into slices, between which the event loop runs.

const sliceMs = 20;
/** Number of steps after which the time is checked. */
const stepsMax = 20_000;

export class Slices {
  #steps = 0;
  #untilMs = performance.now() + sliceMs;

  /** Counts steps; returns true if the slice is over, and the caller must await `next`. */
  isOver(steps: number): boolean {
    this.#steps += steps;
    if (this.#steps < stepsMax) return false;
    this.#steps = 0;
    return performance.now() >= this.#untilMs;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#untilMs = performance.now() + sliceMs;
  }
}
