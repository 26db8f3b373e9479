// Measures how long work blocks the event loop.

import { setTimeout as delay } from "node:timers/promises";

export interface Measured<Result> {
  readonly result: Result;
  /** CPU time of this thread between two timers; excludes other work of the machine. */
  readonly longestHoldMs: number;
  readonly elapsedMs: number;
}

/** Runs `work` and, meanwhile, a timer that is due every 2 ms. */
export async function measureHolds<Result>(work: () => Promise<Result>): Promise<Measured<Result>> {
  const startMs = performance.now();
  let isOver = false;
  let longestHoldMs = 0;
  const turning = (async () => {
    while (!isOver) {
      const before = process.threadCpuUsage();
      await delay(2);
      const { user, system } = process.threadCpuUsage(before);
      longestHoldMs = Math.max(longestHoldMs, (user + system) / 1_000);
    }
  })();
  try {
    const result = await work();
    return { result, longestHoldMs, elapsedMs: performance.now() - startMs };
  } finally {
    isOver = true;
    await turning;
  }
}
