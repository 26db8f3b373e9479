// A worker thread that reads as a quiet tenant and reports its latencies. In the attacking thread, latencies would
// include the attack's own work.

import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

export interface QuietReader {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly forMs: number;
}

/** Within the tenant's rate limit. */
const pauseMs = 60;

const { url, headers, forMs }: QuietReader = workerData;
const latencies: number[] = [];
const untilMs = performance.now() + forMs;
do {
  const startMs = performance.now();
  const response = await fetch(url, { headers });
  await response.arrayBuffer();
  latencies.push(performance.now() - startMs);
  if (response.status !== 200) throw new Error(`the quiet tenant was answered ${response.status}`);
  await delay(pauseMs);
} while (performance.now() < untilMs);
parentPort?.postMessage(latencies);
