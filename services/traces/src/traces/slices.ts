// Splits the long work of one request into slices, so that other requests can use the event loop in between.

import { eventLoop, sliceMs } from "@ems/kit/limits/event-loop-yield";

/** Creating this many rows takes milliseconds, so that several requests at once would block all other requests. */
const heavyRows = 100;

/** Waits for a turn without other large batches of rows; returns immediately if there are few rows. */
export async function waitForTurn(applicationId: string, rows: number): Promise<void> {
  if (rows >= heavyRows) await eventLoop.wait(applicationId);
}

/** Maps the items in order, and lets other applications have a turn after each slice. */
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
