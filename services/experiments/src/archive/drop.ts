// Deletes from PostgreSQL what is in the archive for long enough: a batch a transaction, and months that are empty then.

import {
  ArchiveMismatch,
  assertArchived,
  type Batch,
  batchesBecome,
  batchesWhere,
  type Source,
  withdrawBatches,
} from "@ems/kit/archive";
import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import { isLockTimeout } from "@ems/kit/db/errors";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { begin, deleteSome, dropMonths } from "../retention/index.ts";
import { tablesOf } from "./kinds.ts";

export interface DropDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly source: Source;
  readonly log: Logger;
}

const everyMs = 60_000;
const batchesMax = 20;
const timeoutMs = 600_000;

// Not of applications with an erasure under way, which would have to bring it back.
const due = batchesWhere(
  "experiments",
  `b.state = 'published' AND b.ends < now() - $1 * interval '1 day' AND b.ends > experiments.kept_since(b.kind)
    AND NOT EXISTS (SELECT FROM experiments.erasure e WHERE e.application_id = b.application_id AND e.status = 'RUNNING')
  ORDER BY b.ends LIMIT ${batchesMax}`,
);
const rememberTraces = `INSERT INTO experiments.dropped_trace (application_id, id, created_at)
  SELECT application_id, id, created_at FROM experiments.trace
  WHERE application_id = $1 AND created_at >= $2 AND created_at < $3 ON CONFLICT DO NOTHING RETURNING 1`;
const isPublished = "b.number = $3 AND b.state = 'published'";

/** Nothing is dropped where no days are set, or no archive is configured. */
export function startDropping(
  { source, ...deps }: Omit<DropDeps, "source"> & { readonly source: Source | undefined },
  days: number | undefined,
): Pick<BackgroundLoop, "stop"> {
  if (days === undefined || source === undefined) return { stop: async () => undefined };
  const work = async (signal: AbortSignal) =>
    (await dropDue({ ...deps, source }, days, signal)) > 0 ? "more" : "idle";
  return startLoop({ name: "dropping of archived rows", everyMs, log: deps.log, work });
}

/** Drops some batches that ended so many days ago; answers how many, and tells each. */
export async function dropDue(
  deps: DropDeps,
  days: number,
  signal: AbortSignal,
  onDropped: (batch: Batch) => void = () => undefined,
): Promise<number> {
  const { relayDatabase } = deps;
  await relayDatabase.query({ text: "SELECT experiments.watch_dropped()" });
  let count = 0;
  for (const batch of await relayDatabase.query<Batch>({ text: due, values: [days] })) {
    signal.throwIfAborted();
    const dropped = await dropBatch(deps, batch);
    if (dropped === undefined) continue;
    count += 1;
    onDropped(dropped);
  }
  for (const kind of ["results", "traces"] as const) {
    const detach = "experiments.detach_emptied($1)";
    await dropMonths(relayDatabase, kind, detach, [kind], async () => undefined).catch((error: unknown) => {
      // A table is in use: later.
      if (!isLockTimeout(error)) throw error;
    });
  }
  return count;
}

/** Undefined where it was not dropped: another process may be at it, and a change may have withdrawn it. */
async function dropBatch(deps: DropDeps, batch: Batch): Promise<Batch | undefined> {
  const { database, log } = deps;
  const { applicationId, kind, number } = batch;
  const key = [applicationId, kind, number];
  const [from, to] = [new Date(batch.from), new Date(batch.to)];
  try {
    await assertArchived(deps, tablesOf(kind), batch);
    return await database.withScope({ applicationId }, monotonicMs() + timeoutMs, async (tx) => {
      tx.defer(begin);
      const lock = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free";
      const [{ free } = { free: false }] = await tx.query<{ free: boolean }>(lock, [`drop ${key.join(" ")}`]);
      if (!free) return undefined;
      const remembered = kind === "traces" ? await tx.query(rememberTraces, [applicationId, from, to]) : undefined;
      let [all, some] = [0, 0];
      do {
        some = await deleteSome[kind](tx, applicationId, to, from);
        all += some;
      } while (some > 0);
      // Of one that came again both parts are to become one first (`returned.ts`).
      if (remembered !== undefined && remembered.length < all) throw new Postponed();
      // Last, as changes lock it, so that nobody waits for somebody who waits: who was before has withdrawn it.
      const [dropped] = await tx.query<Batch>(batchesBecome("experiments", "dropped", isPublished), key);
      if (dropped === undefined) throw new Postponed();
      if (all !== rowsOf(batch)) throw new ArchiveMismatch(`PostgreSQL has ${all} rows of batch ${number}`);
      return dropped;
    });
  } catch (error) {
    if (error instanceof Postponed) return undefined;
    if (!(error instanceof ArchiveMismatch)) throw error;
    // PostgreSQL has the rows: they are carried once more.
    log.error({ err: error, kind, batch: number }, "a batch of the archive is not what it was");
    await withdrawBatches(database, batch, isPublished, number);
    return undefined;
  }
}

class Postponed extends Error {}

/** What deleting counts: no steps, which go with their trace. */
function rowsOf({ kind, checks }: Batch): number {
  const counted = kind === "results" ? ["test", "evaluation"] : ["trace"];
  return counted.reduce((sum, table) => sum + Number(checks[table]?.rows ?? 0), 0);
}
