// Runs in the measured process before the product (`--import`): adds the process to the benchmark's control group, and
// reports its memory after a forced collection on request.

import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

export interface Memory {
  readonly heapBytes: number;
  readonly externalBytes: number;
  readonly rssBytes: number;
}

export const askForMemory = "memory after a collection";

const { BENCH_CONTROL_GROUP } = process.env;
if (isMainThread && process.send !== undefined) {
  if (BENCH_CONTROL_GROUP) writeFileSync(BENCH_CONTROL_GROUP, String(process.pid));
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  process.on("message", async (message) => {
    if (message !== askForMemory) return;
    // Objects released by finalizers and callbacks are collected in the next round.
    for (let round = 0; round < 3; round++) {
      collect();
      await delay(100);
    }
    const { heapUsed, external, rss } = process.memoryUsage();
    const memory: Memory = { heapBytes: heapUsed, externalBytes: external, rssBytes: rss };
    process.send?.({ memory });
  });
  // Listening for messages must not keep the process alive.
  process.channel?.unref();
}
