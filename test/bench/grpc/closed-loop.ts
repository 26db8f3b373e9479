// Calls with a fixed number in flight: each lane sends its next call after the answer of the previous one.

import { measureMs } from "../statistics.ts";
import type { Client } from "./clients.ts";

interface Bounds {
  readonly inFlight: number;
  /** Either `calls` or `seconds` ends the loop. */
  readonly calls?: number;
  readonly seconds?: number;
}

/** Returns the duration of each call in milliseconds. */
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

/** Calls the clients in turn, one call at a time, so that disturbances affect all of them; returns milliseconds. */
export async function alternating(clients: readonly Client[], seconds: number): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>(clients.map(({ name }) => [name, []]));
  const untilMs = performance.now() + seconds * 1_000 * clients.length;
  while (performance.now() < untilMs) {
    for (const { name, call } of clients) times.get(name)?.push(await measureMs(call));
  }
  return times;
}
