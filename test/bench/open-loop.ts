// Load at a fixed rate, regardless of the answers.

import { setTimeout as delay } from "node:timers/promises";

/**
 * Calls `send` at that rate for that many seconds, and waits for all calls. Returns the milliseconds from each call's
 * due time, in the order of the calls: a stall counts for every call that was due meanwhile (no coordinated omission).
 */
export async function openLoop(
  perSecond: number,
  seconds: number,
  send: (at: number, dueMs: number) => Promise<unknown>,
): Promise<number[]> {
  const startMs = performance.now();
  const times: Promise<number>[] = [];
  const timed = async (at: number, dueMs: number) => {
    await send(at, dueMs);
    return performance.now() - dueMs;
  };
  for (let at = 0; at < perSecond * seconds; at++) {
    const dueMs = startMs + (at * 1_000) / perSecond;
    for (let leftMs = dueMs - performance.now(); leftMs > 0; leftMs = dueMs - performance.now()) {
      await delay(Math.floor(leftMs));
    }
    times.push(timed(at, dueMs));
  }
  return Promise.all(times);
}
