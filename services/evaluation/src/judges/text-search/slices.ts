// Slices of long computations, between which the event loop has its turn.

const sliceMs = 20;
/** Steps after which the time is looked at. */
const stepsMax = 20_000;

export class Slices {
  #steps = 0;
  #untilMs = performance.now() + sliceMs;

  /** Counts steps; true when the slice is over and `next` must be awaited. */
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
