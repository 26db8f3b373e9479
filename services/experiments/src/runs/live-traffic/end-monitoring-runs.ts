import { type BackgroundLoop, runEvery } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import type { Deps } from "../../deps.ts";
import { endRuns } from "../execution/index.ts";
import { checkTopics } from "../regressions/index.ts";
import { type RunRow, runColumns } from "../runs/index.ts";

interface OpenRun {
  readonly applicationId: string;
  readonly orgId: string;
  readonly day: string;
}

type EndDeps = Pick<Deps, "database" | "clock" | "publish" | "publishAll" | "newId">;

const everyMs = 5_000;
const batchMax = 100;
const timeoutMs = 20_000;

// Selects runs one hour after the end of their UTC day, by the database's clock.
const over = `SELECT application_id AS "applicationId", org_id AS "orgId", day::text AS day FROM experiments.monitoring_run
  WHERE is_open AND day < ((now() - interval '1 hour') AT TIME ZONE 'UTC')::date ORDER BY day LIMIT ${batchMax}`;
const close = `UPDATE experiments.monitoring_run SET is_open = false
  WHERE application_id = $1 AND day = $2::date AND is_open RETURNING run_id AS id`;
const lock = `SELECT ${runColumns} FROM experiments.run r WHERE r.application_id = $1 AND r.id = $2 FOR NO KEY UPDATE`;

/** Starts the loop that ends the runs of past days. Safe to run in several processes. */
export function startMonitoringRunEnds(
  deps: EndDeps,
  relayDatabase: RelayDatabase,
  log: Logger,
): Pick<BackgroundLoop, "stop"> {
  return runEvery("ends of monitoring runs", everyMs, () => endMonitoringRuns(deps, relayDatabase), log);
}

/** Ends the run of each past day once; its open tests continue. Also checks the day for regressions. */
export async function endMonitoringRuns(deps: EndDeps, relayDatabase: RelayDatabase): Promise<void> {
  const runs = await relayDatabase.query<OpenRun>({ name: "monitoring-runs-over", text: over });
  for (const run of runs) await end(deps, run);
}

function end(deps: EndDeps, { applicationId, orgId, day }: OpenRun): Promise<void> {
  const { database, clock, publishAll } = deps;
  return database.withScope({ applicationId, orgId }, monotonicMs() + timeoutMs, async (tx) => {
    const [open] = await tx.query<{ id: string }>(close, [applicationId, day]);
    if (open === undefined) return;
    const locked = await tx.query<RunRow>(lock, [applicationId, open.id]);
    await endRuns({ publishAll }, tx, { applicationId, orgId }, clock.now(), locked, { isDayOver: true });
    await checkTopics(deps, tx, { applicationId, orgId }, day);
  });
}
