// Long work of one request, between whose parts other requests have their turns.

import { eventLoop, sliceMs } from "@ems/kit/limits/event-loop-yield";

/** So many rows take milliseconds to make: requests that do so at once would hold up all others together. */
const heavyRows = 100;

/** Waits for a turn of the event loop in which nobody else makes many rows; for few rows not at all. */
export async function waitForTurn(applicationId: string, rows: number): Promise<void> {
  if (rows >= heavyRows) await eventLoop.wait(applicationId);
}

/** Maps each item, in order; waits for a turn of the application whenever a slice is over. */
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
