// Erases end users and deletes traces in batches, one transaction each. Safe to run in several processes: they take over the work of a
// process that died.

import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { Logger } from "@ems/kit/log";
import { createTenantContext } from "@ems/kit/rpc/call";
import type { Deps } from "../../deps.ts";
import { type FoundTrace, oldestOfUser, storedAmong, testsToErase } from "../../traces/index.ts";
import { eraseStepAnnotations } from "./erase-step-annotations.ts";
import { eraseTasks } from "./erase-tasks.ts";
import { eraseTraces } from "./erase-traces.ts";
import { type ClaimedErasure, erasureQueue, erasureWorkQueue } from "./queue.ts";

const everyMs = 2_000;
/** Lease of an erasure: longer than a batch takes. */
const leaseMs = 60_000;
const timeoutMs = 30_000;
const claimMax = 8;
/** Maximum number of traces per batch, because ingestion may wait for the locks of a batch. */
const tracesMax = 100;
const stepsMax = 10_000;

export type ErasureDeps = Pick<
  Deps,
  "database" | "archiveErasing" | "clock" | "newId" | "publishAll" | "plans" | "traceWork"
>;

const chosenBefore = `SELECT e.trace_id AS id, e.test_id AS "testId", e.steps FROM experiments.erasure_trace e
  WHERE e.application_id = $1 AND e.erasure_id = $2 AND e.steps IS NOT NULL ORDER BY e.trace_id`;
const nextOthers = `SELECT e.trace_id AS id FROM experiments.erasure_trace e
  WHERE e.application_id = $1 AND e.erasure_id = $2 ORDER BY e.trace_id LIMIT ${tracesMax}`;
const forget = `DELETE FROM experiments.erasure_trace
  WHERE application_id = $1 AND erasure_id = $2 AND trace_id = ANY ($3::uuid[])`;
const choose = `INSERT INTO experiments.erasure_trace (application_id, erasure_id, trace_id, test_id, steps)
  SELECT $1, $2, v.* FROM unnest($3::uuid[], $4::uuid[], $5::integer[]) AS v (trace_id, test_id, steps)
  ON CONFLICT (application_id, erasure_id, trace_id) DO UPDATE SET test_id = excluded.test_id, steps = excluded.steps`;

const release =
  "UPDATE experiments.erasure SET due_at = now() + $3 * interval '1 ms' WHERE application_id = $1 AND id = $2";

// Runs under the lock of the erasure's row, so that no concurrent batch can add traces or work.
const complete = `
  WITH left_over AS (DELETE FROM experiments.erasure_trace WHERE application_id = $1 AND erasure_id = $2)
  UPDATE experiments.erasure SET status = 'COMPLETED', due_at = NULL, completed_at = $3, modified_at = $3
  WHERE application_id = $1 AND id = $2 AND NOT EXISTS (
    SELECT FROM experiments.erasure_work w WHERE w.application_id = $1 AND w.erasure_id = $2)`;

// A deletion may have many traces, of which only those of the next batch are prepared. For an end user, all are.
const tracesOfErasure = `SELECT trace_id AS id FROM experiments.erasure_trace
  WHERE application_id = $1 AND erasure_id = $2 ORDER BY trace_id LIMIT $3`;

export function startErasures(deps: ErasureDeps, relay: RelayDatabase, log: Logger): BackgroundLoop {
  return startLoop({
    name: "erasures of end users",
    everyMs,
    backoffMaxMs: 30 * everyMs,
    log,
    work: async () => ((await advance(deps, relay)) ? "more" : "idle"),
  });
}

/** Erases a batch of each due erasure; returns true if there was anything to erase. */
export async function advance(deps: ErasureDeps, relay: RelayDatabase): Promise<boolean> {
  const works = await erasureWorkQueue.on(relay).claim({ lane: "CATALOG", rowsMax: claimMax, leaseMs });
  const erasures = await erasureQueue.on(relay).claim({ rowsMax: claimMax, leaseMs });
  const failures: unknown[] = [];
  let isMore = works.length > 0 || erasures.length === claimMax;
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

/**
 * Erases a batch. First records the traces with their numbers of steps, then has the traces service delete them, then
 * erases the data derived from them here. If the process dies in between, the next process repeats the same batch.
 */
export async function eraseBatch(deps: ErasureDeps, erasure: ClaimedErasure): Promise<boolean> {
  const { applicationId, id } = erasure;
  const traces = await prepareTraces(deps, erasure);
  const state = await restoreResults(deps, erasure);
  const isPurged = (state === null || (await deps.archiveErasing.purge(erasure))) && traces.isPurged;
  const scoped = <T>(work: (tx: Transaction) => Promise<T>) =>
    deps.database.withScope(erasure, monotonicMs() + timeoutMs, work);
  const batch = await scoped((tx) => nextBatch(tx, erasure));
  if (batch === "none") {
    const after = await prepareTraces(deps, erasure);
    if (after.archiveState !== traces.archiveState) throw new Error("traces were archived meanwhile");
    await scoped(async (tx) => {
      await tx.query(release, [applicationId, id, everyMs]);
      if (isPurged) await tx.query(complete, [applicationId, id, deps.clock.now()]);
      await deps.archiveErasing.assertState(tx, applicationId, state);
    });
    return false;
  }
  const traceIds = batch.map((trace) => trace.id);
  if (traceIds.length > 0) {
    await eraseStepAnnotations(deps, erasure, traceIds);
    await deps.traceWork.eraseTraces({ traceIds }, buildOptions(erasure));
  }
  await scoped(async (tx) => {
    if (batch.length > 0) await eraseTraces(deps, tx, erasure, batch);
    tx.defer(release, [applicationId, id, 0]);
    await deps.archiveErasing.assertState(tx, applicationId, state);
  });
  return true;
}

/** Returns the next traces to erase: first those recorded by a process that died, then the user's, then the others. */
async function nextBatch(tx: Transaction, erasure: ClaimedErasure): Promise<FoundTrace[] | "none"> {
  const { applicationId, id, endUserKey } = erasure;
  const before = await tx.query<FoundTrace>(chosenBefore, [applicationId, id]);
  if (before.length > 0) return before;
  const [ofUser, named] = await Promise.all([
    endUserKey === null ? [] : oldestOfUser(tx, applicationId, endUserKey, tracesMax),
    tx.query<{ id: string }>(nextOthers, [applicationId, id]),
  ]);
  const ids = named.map((row) => row.id);
  const stillStored = ids.length === 0 ? [] : await storedAmong(tx, applicationId, ids);
  const found = [...new Map([...ofUser, ...stillStored].map((trace) => [trace.id, trace])).values()].slice(
    0,
    tracesMax,
  );
  const stored = new Set(stillStored.map((trace) => trace.id));
  const gone = ids.filter((traceId) => !stored.has(traceId));
  if (gone.length > 0) tx.defer(forget, [applicationId, id, gone]);
  if (found.length === 0) return gone.length === 0 ? "none" : [];
  let steps = 0;
  const batch = found.filter((trace, index) => {
    steps += trace.steps;
    return index === 0 || steps <= stepsMax;
  });
  const columns = [
    batch.map((found) => found.id),
    batch.map(({ testId }) => testId),
    batch.map((found) => found.steps),
  ];
  tx.defer(choose, [applicationId, id, ...columns]);
  return batch;
}

function buildOptions({ applicationId, orgId }: Pick<ClaimedErasure, "applicationId" | "orgId">) {
  const tenant = { applicationId, orgId, userId: "", isBackground: true } as const;
  return { contextValues: createTenantContext(tenant), timeoutMs };
}

/** Has the traces service restore the erasure's traces from the archive. */
async function prepareTraces({ database, traceWork }: ErasureDeps, erasure: ClaimedErasure) {
  const traceIds = await tracesNamed(database, erasure);
  const { endUserKey } = erasure;
  return traceWork.prepareErasure({ ...(endUserKey !== null && { endUserKey }), traceIds }, buildOptions(erasure));
}

async function tracesNamed(database: ErasureDeps["database"], erasure: ClaimedErasure): Promise<string[]> {
  const limit = erasure.endUserKey === null ? tracesMax : null;
  const statement = { text: tracesOfErasure, values: [erasure.applicationId, erasure.id, limit] };
  const named = await database.readScoped<{ id: string }>(erasure, monotonicMs() + timeoutMs, statement);
  return named.map((row) => row.id);
}

/** Restores the tests of the erasure's traces from the archive. */
function restoreResults({ database, archiveErasing }: ErasureDeps, erasure: ClaimedErasure): Promise<string | null> {
  return archiveErasing.restore(erasure, async () => {
    const traceIds = await tracesNamed(database, erasure);
    const named = { endUserKey: erasure.endUserKey, traceIds };
    const testIds = await testsToErase(database, erasure, monotonicMs() + timeoutMs, named);
    return [["results", "test", "id", testIds]];
  });
}
