// Memory that a process holds on to. Resident memory says less: it contains what no collection has freed yet.

import { scrape } from "./exposition.ts";

/** The setting of a product whose memory in use is measured: it collects garbage every half second. */
export const collectingGarbage = {
  NODE_OPTIONS: "--expose-gc --import=data:text/javascript,setInterval(gc,500).unref()",
};

const sampleMs = 250;
const gauges = ["nodejs_heap_size_used_bytes", "nodejs_external_memory_bytes"];

/** Memory in use, on the heap and outside it, in MiB. */
async function memoryInUse(adminUrl: string): Promise<number> {
  const samples = await scrape(adminUrl);
  const bytes = samples.filter(({ name }) => gauges.includes(name)).reduce((sum, { value }) => sum + value, 0);
  return bytes / 1024 / 1024;
}

/** How much more memory than before is in use during `work`, in MiB: the median of its samples. */
export async function memoryGrowth(adminUrl: string, work: () => Promise<unknown>): Promise<number> {
  const before = await memoryInUse(adminUrl);
  const growths: number[] = [];
  const sampling = setInterval(async () => growths.push((await memoryInUse(adminUrl)) - before), sampleMs);
  await work().finally(() => clearInterval(sampling));
  // Work that is over before the first sample.
  if (growths.length === 0) growths.push((await memoryInUse(adminUrl)) - before);
  return growths.sort((a, b) => a - b)[growths.length >> 1] ?? Number.NaN;
}
