// The clock of a process without a database, compared with that of a service.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Clock, ClockReading } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";

/** A clock that was corrected is found so within this time. */
const everyMs = 1_000;

/** Compares `clock` with what `read` answers, each second. The last comparison holds while the service does not answer. */
export function followClock(clock: Clock, read: () => Promise<ClockReading>, log: Logger): BackgroundLoop {
  const compare = async () => {
    try {
      clock.compare?.(await read());
    } catch (error) {
      log.debug({ err: error }, "the clock was not compared");
    }
    return "idle" as const;
  };
  return startLoop({ name: "comparing clocks", everyMs, log, work: compare });
}
