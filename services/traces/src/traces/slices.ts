// Splits long work of one request, so that other requests use the event loop in between.

import { eventLoop, sliceMs } from "@ems/kit/limits/event-loop-yield";

/** Creating this many rows takes milliseconds, so that concurrent requests would block all others. */
const heavyRows = 100;

/** Waits for a turn of the event loop without other large batches of rows; returns immediately for few rows. */
export async function waitForTurn(applicationId: string, rows: number): Promise<void> {
  if (rows >= heavyRows) await eventLoop.wait(applicationId);
}

/** Maps each item in order, and yields to other applications after each slice. */
export async function mapInSlices<Item, Result>(
  applicationId: string,
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedMs = performance.now();
  for (const item of items) {
    results.push(map(item));
    if (performance.now() - startedMs < sliceMs) continue;
    await eventLoop.wait(applicationId);
    startedMs = performance.now();
  }
  return results;
}
