// Erases users in batches, each a transaction of its own, beside other processes: whoever dies leaves the rest to the others.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import type { Deps } from "../../deps.ts";
import { eraseTasks } from "./erase-tasks.ts";
import { eraseTraces } from "./erase-traces.ts";
import { type ClaimedErasure, erasureQueue, erasureWorkQueue } from "./queue.ts";

const everyMs = 2_000;
/** Longer than a batch takes. */
const leaseMs = 60_000;
const timeoutMs = 30_000;
const claimMax = 8;
/** Of a batch, whose locks ingestion may wait for. */
const tracesMax = 100;
const stepsMax = 10_000;

export type ErasureDeps = Pick<Deps, "database" | "archiveErasing" | "clock" | "newId" | "publishAll" | "plans">;

// Each by its own index.
const next = `
  (SELECT t.id, t.steps FROM experiments.trace t WHERE t.application_id = $1 AND t.end_user_key = $3
    ORDER BY t.created_at LIMIT ${tracesMax})
  UNION ALL
  (SELECT t.id, t.steps FROM experiments.erasure_trace e JOIN experiments.trace t ON t.application_id = $1 AND t.id = e.trace_id
    WHERE e.application_id = $1 AND e.erasure_id = $2 ORDER BY e.trace_id LIMIT ${tracesMax})
  LIMIT ${tracesMax}`;

const release =
  "UPDATE experiments.erasure SET due_at = now() + $3 * interval '1 ms' WHERE application_id = $1 AND id = $2";

// Under the row's lock, so that nobody adds to it any more. Ids of traces that went otherwise are left in erasure_trace.
const complete = `
  WITH left_over AS (DELETE FROM experiments.erasure_trace WHERE application_id = $1 AND erasure_id = $2)
  UPDATE experiments.erasure SET status = 'COMPLETED', due_at = NULL, completed_at = $3, modified_at = $3
  WHERE application_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT FROM experiments.erasure_work w WHERE w.application_id = $1 AND w.erasure_id = $2)`;

// By what the archive has of it, one after the other.
const testsOf = `SELECT DISTINCT t.test_id AS id FROM experiments.trace t WHERE t.application_id = $1 AND t.test_id IS NOT NULL
  AND (t.end_user_key = $3 OR t.id IN (SELECT e.trace_id FROM experiments.erasure_trace e WHERE e.application_id = $1 AND e.erasure_id = $2))`;
const tracesOf = "SELECT trace_id AS id FROM experiments.erasure_trace WHERE application_id = $1 AND erasure_id = $2";

export function startErasures(deps: ErasureDeps, relay: RelayDatabase, log: Logger): BackgroundLoop {
  return startLoop({
    name: "erasures of end users",
    everyMs,
    backoffMaxMs: 30 * everyMs,
    log,
    work: async () => ((await advance(deps, relay)) ? "more" : "idle"),
  });
}

/** A batch of each erasure that is due; answers whether there was anything to erase. */
export async function advance(deps: ErasureDeps, relay: RelayDatabase): Promise<boolean> {
  const works = await erasureWorkQueue.on(relay).claim({ lane: "CATALOG", rowsMax: claimMax, leaseMs });
  const erasures = await erasureQueue.on(relay).claim({ rowsMax: claimMax, leaseMs });
  const failures: unknown[] = [];
  let isMore = works.length > 0;
  for (const work of works) await eraseTasks(deps, work).catch((error: unknown) => failures.push(error));
  for (const erasure of erasures) {
    await eraseBatch(deps, erasure).then(
      (erased) => {
        isMore ||= erased;
      },
      (error: unknown) => failures.push(error),
    );
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} erasures failed`);
  return isMore;
}

async function eraseBatch(deps: ErasureDeps, erasure: ClaimedErasure): Promise<boolean> {
  const { applicationId, id, endUserKey } = erasure;
  const state = await restoreArchived(deps, erasure);
  const isPurged = state === null || (await deps.archiveErasing.purge(erasure));
  return deps.database.withScope(erasure, monotonicMs() + timeoutMs, async (tx) => {
    const found = await tx.query<{ id: string; steps: number }>(next, [applicationId, id, endUserKey]);
    if (found.length === 0) {
      await tx.query(release, [applicationId, id, everyMs]);
      if (!isPurged) return false;
      await tx.query(complete, [applicationId, id, deps.clock.now()]);
      await deps.archiveErasing.assertState(tx, applicationId, state);
      return false;
    }
    let steps = 0;
    const batch = found.filter((trace, index) => {
      steps += trace.steps;
      return index === 0 || steps <= stepsMax;
    });
    await eraseTraces(deps, tx, erasure, [...new Set(batch.map((trace) => trace.id))]);
    tx.defer(release, [applicationId, id, 0]);
    await deps.archiveErasing.assertState(tx, applicationId, state);
    return true;
  });
}

/** Restores what the archive has of the erasure's traces and their tests. */
function restoreArchived({ database, archiveErasing }: ErasureDeps, erasure: ClaimedErasure): Promise<string | null> {
  const { applicationId, id, endUserKey } = erasure;
  const idsOf = async (text: string, ...values: string[]) => {
    const statement = { text, values: [applicationId, id, ...values] };
    const rows = await database.readScoped<{ id: string }>(erasure, monotonicMs() + timeoutMs, statement);
    return rows.map((row) => row.id);
  };
  return archiveErasing.restore(erasure, async () => [
    ["traces", "trace", "end_user_key", [endUserKey]],
    ["traces", "trace", "id", await idsOf(tracesOf)],
    ["results", "test", "id", await idsOf(testsOf, endUserKey)],
  ]);
}
