import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { Logger } from "@ems/kit/log";

export interface ForgetDeps {
  readonly database: Database;
  readonly log: Logger;
}

/** Interval: several runs a day, so that a day's events are deleted long before its partition is reused. */
const everyMs = 60 * 60_000;
const timeoutMs = 30_000;

/** Starts the loop that empties the partition of the oldest day. */
export function forgetEvents({ database, log }: ForgetDeps): BackgroundLoop {
  const forget = async () => {
    await database.withScope({}, monotonicMs() + timeoutMs, async (tx) => {
      await tx.query("SELECT notifications.forget_events()");
    });
  };
  return runEvery("deleting old events", everyMs, forget, log);
}
