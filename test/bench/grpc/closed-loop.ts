// As many calls as so many in flight can be, each after the answer of the one before.

import { measureMs } from "../statistics.ts";
import type { Client } from "./clients.ts";

interface Bounds {
  readonly inFlight: number;
  /** One of the two ends it. */
  readonly calls?: number;
  readonly seconds?: number;
}

/** The milliseconds that each call took. */
export async function closedLoop(
  call: () => Promise<void>,
  { inFlight, calls = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY }: Bounds,
): Promise<number[]> {
  const times: number[] = [];
  let begun = 0;
  const untilMs = performance.now() + seconds * 1_000;
  const lane = async () => {
    for (let startMs = performance.now(); begun < calls && startMs < untilMs; startMs = performance.now()) {
      begun++;
      await call();
      times.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return times;
}

/** One call in flight, of each client after another, so that whatever the machine does meets all alike; milliseconds. */
export async function alternating(clients: readonly Client[], seconds: number): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>(clients.map(({ name }) => [name, []]));
  const untilMs = performance.now() + seconds * 1_000 * clients.length;
  while (performance.now() < untilMs) {
    for (const { name, call } of clients) times.get(name)?.push(await measureMs(call));
  }
  return times;
}
