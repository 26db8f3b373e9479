// Steps that are stored but not in the index yet, whose traces a search can miss.

import { setTimeout as delay } from "node:timers/promises";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { unavailable } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";

/** Maximum wait for the index, whatever the call's deadline. */
const waitMaxMs = 10_000;
/** Time for the search itself. */
const reserveMs = 1_000;
const pollMs = 100;
/** Number of requests of ingestion whose traces are counted. */
const jobsMax = 1_000;

const countText = `SELECT count(DISTINCT id)::int AS traces FROM (
    SELECT trace_ids FROM traces.search_job WHERE application_id = $1 LIMIT ${jobsMax}) job, unnest(job.trace_ids) id`;

/** Returns the number of traces with steps that are not indexed yet. */
export async function countUnindexed(database: Database, call: Call): Promise<bigint> {
  const values = [call.tenant.applicationId];
  const [found] = await database.read<{ traces: number }>(call, { name: "count-unindexed", text: countText, values });
  return BigInt(found?.traces ?? 0);
}

// Jobs of an upgrade have times in the future: a search does not wait for them.
const pendingText = `SELECT now() AS now, EXISTS (SELECT FROM traces.search_job
    WHERE application_id = $1 AND queued_at <= coalesce($2::timestamptz, now())) AS pending`;

/** Waits until all steps are indexed that were stored before the call. */
export async function waitUntilIndexed(database: Database, call: Call): Promise<void> {
  const endMs = Math.min(monotonicMs() + waitMaxMs, call.deadlineMs - reserveMs);
  let since: Date | null = null;
  for (;;) {
    const state = await readState(database, call, since);
    if (!state.pending) return;
    since ??= state.now;
    if (monotonicMs() + pollMs > endMs)
      throw unavailable("The search index is behind: retry, or omit `consistency` and read `unindexed`");
    await delay(pollMs);
  }
}

interface State {
  readonly now: Date;
  readonly pending: boolean;
}

async function readState(database: Database, call: Call, since: Date | null): Promise<State> {
  const values = [call.tenant.applicationId, since];
  const [state] = await database.read<State>(call, { name: "pending-search", text: pendingText, values });
  if (state === undefined) throw new Error("PostgreSQL returned no row");
  return state;
}
