// A test's own statements while PostgreSQL is killed and restarted.

import { setTimeout as sleep } from "node:timers/promises";
import { databaseError } from "@ems/kit/db/errors";
import { Code } from "@ems/kit/errors";

const patienceMs = 60_000;

/** True if PostgreSQL was unavailable: the change may have been made although its acknowledgment was lost. */
export function isAway(error: unknown): boolean {
  return databaseError(error)?.code === Code.Unavailable;
}

/** Repeats an idempotent statement until PostgreSQL is available. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || Date.now() > endMs) throw error;
    }
    await sleep(50);
  }
}
