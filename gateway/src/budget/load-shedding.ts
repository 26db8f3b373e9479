// Load shedding: a high event-loop delay means that the process has more work than it can do.

import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoadMonitor {
  isOverloaded(): boolean;
  stop(): void;
}

const resolutionMs = 20;
const sampleMs = 500;

/** Monitors the event loop: overloaded if its mean delay exceeds `delayMaxMs` in consecutive samples. */
export function monitorLoad(delayMaxMs: number): LoadMonitor {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const delay = new SustainedDelay(delayMaxMs);
  const timer = setInterval(() => {
    // Subtracts the sampling resolution, which the histogram's values include.
    delay.add(histogram.count === 0 ? 0 : histogram.mean / 1e6 - resolutionMs);
    histogram.reset();
  }, sampleMs).unref();
  return {
    isOverloaded: () => delay.isSustained,
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}

/** Detects sustained delay: one late sample may be a single long task, two in a row are overload. */
export class SustainedDelay {
  readonly #maxMs: number;
  #lateSamples = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  get isSustained(): boolean {
    return this.#lateSamples > 1;
  }

  add(delayMs: number): void {
    this.#lateSamples = delayMs > this.#maxMs ? this.#lateSamples + 1 : 0;
  }
}
