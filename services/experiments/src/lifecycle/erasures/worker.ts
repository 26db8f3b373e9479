// Erases users in batches, each a transaction of its own, beside other processes: whoever dies leaves the rest to the others.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Logger } from "@ems/kit/log";
import type { Deps } from "../../deps.ts";
import { oldestOfUser, storedAmong, testsToErase } from "../../traces/deletion/index.ts";
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

const nextOthers = `SELECT e.trace_id AS id FROM experiments.erasure_trace e
  WHERE e.application_id = $1 AND e.erasure_id = $2 ORDER BY e.trace_id LIMIT ${tracesMax}`;
const forget = `DELETE FROM experiments.erasure_trace
  WHERE application_id = $1 AND erasure_id = $2 AND trace_id = ANY ($3::uuid[])`;

const release =
  "UPDATE experiments.erasure SET due_at = now() + $3 * interval '1 ms' WHERE application_id = $1 AND id = $2";

// Under the row's lock, so that nobody adds to it any more.
const complete = `
  WITH left_over AS (DELETE FROM experiments.erasure_trace WHERE application_id = $1 AND erasure_id = $2)
  UPDATE experiments.erasure SET status = 'COMPLETED', due_at = NULL, completed_at = $3, modified_at = $3
  WHERE application_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT FROM experiments.erasure_work w WHERE w.application_id = $1 AND w.erasure_id = $2)`;

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
  const { applicationId, id } = erasure;
  const state = await restoreArchived(deps, erasure);
  const isPurged = state === null || (await deps.archiveErasing.purge(erasure));
  return deps.database.withScope(erasure, monotonicMs() + timeoutMs, async (tx) => {
    const { found, gone } = await nextTraces(tx, erasure);
    if (gone.length > 0) tx.defer(forget, [applicationId, id, gone]);
    if (found.length === 0 && gone.length === 0) {
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
    const traceIds = [...new Set(batch.map((trace) => trace.id))];
    if (traceIds.length > 0) await eraseTraces(deps, tx, erasure, traceIds);
    tx.defer(release, [applicationId, id, 0]);
    await deps.archiveErasing.assertState(tx, applicationId, state);
    return true;
  });
}

/** Some of what is left: the user's traces before others. Ids of others that went otherwise are `gone`. */
async function nextTraces(tx: Transaction, { applicationId, id, endUserKey }: ClaimedErasure) {
  const [ofUser, named] = await Promise.all([
    oldestOfUser(tx, applicationId, endUserKey, tracesMax),
    tx.query<{ id: string }>(nextOthers, [applicationId, id]),
  ]);
  const ids = named.map((row) => row.id);
  const others = ids.length === 0 ? [] : await storedAmong(tx, applicationId, ids);
  const stored = new Set(others.map((trace) => trace.id));
  return { found: [...ofUser, ...others].slice(0, tracesMax), gone: ids.filter((one) => !stored.has(one)) };
}

/** Restores what the archive has of the erasure's traces and their tests. */
function restoreArchived({ database, archiveErasing }: ErasureDeps, erasure: ClaimedErasure): Promise<string | null> {
  const { applicationId, id, endUserKey } = erasure;
  return archiveErasing.restore(erasure, async () => {
    const statement = { text: tracesOf, values: [applicationId, id] };
    const named = await database.readScoped<{ id: string }>(erasure, monotonicMs() + timeoutMs, statement);
    const traceIds = named.map((row) => row.id);
    const testIds = await testsToErase(database, erasure, monotonicMs() + timeoutMs, { endUserKey, traceIds });
    return [
      ["traces", "trace", "end_user_key", [endUserKey]],
      ["traces", "trace", "id", traceIds],
      ["results", "test", "id", testIds],
    ];
  });
}
