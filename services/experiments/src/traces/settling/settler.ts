import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { claimTraces, type DueTrace } from "./due-traces.ts";
import { type CloseTests, settleTraces } from "./settle-traces.ts";

/** Batches are made by waiting: the tests of a run that end together lock it once. */
const everyMs = 200;
const backoffMaxMs = 10_000;

export interface SettlerDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  readonly closeTests: CloseTests;
  /** What becomes of settled live traffic. */
  readonly judgeLive: (trace: DueTrace) => Promise<void>;
}

/** Settles traces that are due, beside other processes; answers how to stop. */
export function startSettler({ relayDatabase, log, judgeLive, ...deps }: SettlerDeps): Pick<BackgroundLoop, "stop"> {
  return startLoop({
    name: "settling of traces",
    everyMs,
    backoffMaxMs,
    log,
    work: async () => {
      const applications = await claimTraces(relayDatabase);
      let isFailed = false;
      const attempt = async (work: Promise<void>) => {
        await work.catch((error: unknown) => {
          isFailed = true;
          log.error({ err: error }, "settling of traces failed");
        });
      };
      for (const due of applications) {
        const { tested = [], live = [] } = Object.groupBy(due, ({ testId }) => (testId === null ? "live" : "tested"));
        await settleTraces(deps, tested).catch(async () => {
          // One that fails must not hold up the others.
          for (const trace of tested) await attempt(settleTraces(deps, [trace]));
        });
        for (const trace of live) await attempt(judgeLive(trace));
      }
      if (isFailed) return "failed";
      return applications.length > 0 ? "more" : "idle";
    },
  });
}
