// A process with more work than it can do answers everything late. The event loop tells: how late its timers are.

import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoadWatch {
  /** Whether work was late beyond the limit, over the last two looks. */
  isOverloaded(): boolean;
  stop(): void;
}

/** How closely delays are measured, and how often they are looked at. */
const resolutionMs = 20;
const lookMs = 500;

/** Watches the event loop; it is overloaded while its timers are `delayMaxMs` late on average. */
export function watchLoad(delayMaxMs: number): LoadWatch {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const lateness = new Lateness(delayMaxMs);
  const look = setInterval(() => {
    // What is measured holds the interval of measuring itself.
    lateness.add(delays.count === 0 ? 0 : delays.mean / 1e6 - resolutionMs);
    delays.reset();
  }, lookMs).unref();
  return {
    isOverloaded: () => lateness.isLasting,
    stop: () => {
      clearInterval(look);
      delays.disable();
    },
  };
}

/** A process that was held up once, for however long, has no more work than it can do; one that is late again has. */
export class Lateness {
  readonly #maxMs: number;
  #looksLate = 0;

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  get isLasting(): boolean {
    return this.#looksLate > 1;
  }

  /** How late things were over one look, on average. */
  add(delayMs: number): void {
    this.#looksLate = delayMs > this.#maxMs ? this.#looksLate + 1 : 0;
  }
}
