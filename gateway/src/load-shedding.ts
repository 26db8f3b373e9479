// A process with more work than it can do answers everything late. The event loop tells: how late its timers are.

import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoadWatch {
  /** Whether work was late beyond the limit, over the last look. */
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
  let delayMs = 0;
  const look = setInterval(() => {
    // What is measured holds the interval of measuring itself.
    delayMs = delays.count === 0 ? 0 : delays.mean / 1e6 - resolutionMs;
    delays.reset();
  }, lookMs).unref();
  return {
    isOverloaded: () => delayMs > delayMaxMs,
    stop: () => {
      clearInterval(look);
      delays.disable();
    },
  };
}
