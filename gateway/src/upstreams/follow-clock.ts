// For a process without a database: compares its clock with that of a service.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Clock, ClockReading } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";

/** Interval of comparisons, and the maximum delay until a corrected clock is noticed. */
const everyMs = 1_000;

/**
 * Compares `clock` with the result of `read` every second. The last comparison remains valid while the service does not
 * respond.
 */
export function followClock(clock: Clock, read: () => Promise<ClockReading>, log: Logger): BackgroundLoop {
  const compare = async () => {
    try {
      clock.compare?.(await read());
    } catch (error) {
      log.debug({ err: error }, "the clock could not be compared");
    }
    return "idle" as const;
  };
  return startLoop({ name: "comparing clocks", everyMs, log, work: compare });
}
