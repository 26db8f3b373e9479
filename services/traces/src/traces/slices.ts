// Long work of one request, in slices between which other requests have their turns.

import { eventLoop, sliceMs } from "@ems/kit/limits/event-loop-yield";

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
