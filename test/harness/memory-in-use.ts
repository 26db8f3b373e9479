// Memory in use by a process. Resident memory is less precise: it includes memory that no collection has freed yet.

import { setTimeout as delay } from "node:timers/promises";
import { scrape } from "./exposition.ts";

/** Before it reports its memory, a process collects garbage. Constant collection would be an attack of its own. */
const preload = `const { memoryUsage } = process;
process.memoryUsage = Object.assign(() => { gc(); return memoryUsage(); }, memoryUsage);`;

/** Setting of a product whose memory in use is measured. */
export const collectingGarbage = {
  NODE_OPTIONS: `--expose-gc --import=data:text/javascript,${encodeURIComponent(preload)}`,
};

const pauseMs = 250;
/** A collection stops the process: it runs for a quarter of the time at most. */
const pauseRatio = 3;
const gauges = ["nodejs_heap_size_used_bytes", "nodejs_external_memory_bytes"];

/** Memory in use, on the heap and outside it, in MiB. */
async function memoryInUse(adminUrl: string): Promise<number> {
  const samples = await scrape(adminUrl);
  const bytes = samples.filter(({ name }) => gauges.includes(name)).reduce((sum, { value }) => sum + value, 0);
  return bytes / 1024 / 1024;
}

/**
 * Memory growth during `work`, in MiB: the median of its samples minus the lowest. The first sample is taken
 * before `work`, the others once `since` has resolved.
 */
export async function memoryGrowth(
  adminUrl: string,
  work: () => Promise<unknown>,
  since: Promise<unknown> = Promise.resolve(),
): Promise<number> {
  const before = await memoryInUse(adminUrl);
  const during: number[] = [];
  let isOver = false;
  const sample = async () => {
    await since;
    do {
      const startMs = performance.now();
      during.push(await memoryInUse(adminUrl));
      await delay(Math.max(pauseMs, pauseRatio * (performance.now() - startMs)));
    } while (!isOver);
  };
  const working = work().finally(() => {
    isOver = true;
  });
  await Promise.all([working, sample()]);
  during.sort((a, b) => a - b);
  // Memory of the test before may still be released, so the first sample is no baseline by itself.
  const lowest = Math.min(before, ...during);
  return (during[during.length >> 1] ?? Number.NaN) - lowest;
}
