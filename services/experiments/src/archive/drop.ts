// Deletes from PostgreSQL what is in the archive for long enough: a batch a transaction, and months that are empty then.

import { assertArchived, type CheckedBatch, hiddenBatches, isArchiveUnavailable, type Source } from "@ems/kit/archive";
import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import type { Database } from "@ems/kit/db/database";
import { isLockTimeout } from "@ems/kit/db/errors";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Logger } from "@ems/kit/log";
import { begin, deleteSome, dropMonths } from "../retention/index.ts";
import { type ExperimentsKind, tablesOf } from "./kinds.ts";

export interface DropDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  readonly source: Source | undefined;
  readonly log: Logger;
}

type Batch = CheckedBatch & { readonly kind: ExperimentsKind; readonly rows: string };

const everyMs = 60_000;
const batchesMax = 20;
const timeoutMs = 600_000;

// Not of applications with an erasure under way, which would have to bring it back.
const due = `SELECT b.application_id AS "applicationId", b.kind, b.number, b.checks, b.rows,
    (extract(epoch FROM b.starts) * 1000)::float8 AS "from", (extract(epoch FROM b.ends) * 1000)::float8 AS "to"
  FROM experiments.archive_batch b
  WHERE b.state = 'published' AND b.ends < now() - $1 * interval '1 day' AND b.ends > experiments.kept_since(b.kind)
    AND NOT EXISTS (SELECT FROM experiments.erasure e WHERE e.application_id = b.application_id AND e.status = 'RUNNING')
  ORDER BY b.ends LIMIT ${batchesMax}`;
const end = `UPDATE experiments.archive_batch SET state = $4, changed_at = now()
  WHERE application_id = $1 AND kind = $2 AND number = $3 AND state = 'published' RETURNING number`;

/** Nothing is dropped where no days are set. */
export function startDropping(deps: DropDeps, days: number | undefined): Pick<BackgroundLoop, "stop"> {
  if (days === undefined || deps.source === undefined) return { stop: async () => undefined };
  const work = async (signal: AbortSignal) => ((await dropDue(deps, days, signal)) > 0 ? "more" : "idle");
  return startLoop({ name: "dropping of archived rows", everyMs, log: deps.log, work });
}

/** Drops some batches that ended so many days ago; answers how many, and tells each. */
export async function dropDue(
  deps: DropDeps,
  days: number,
  signal: AbortSignal,
  onDropped: (batch: Batch) => void = () => undefined,
): Promise<number> {
  let dropped = 0;
  for (const batch of await deps.relayDatabase.query<Batch>({ text: due, values: [days] })) {
    signal.throwIfAborted();
    if (!(await dropBatch(deps, batch))) continue;
    dropped += 1;
    onDropped(batch);
  }
  for (const kind of ["results", "traces"] as const) {
    const dropping = dropMonths(
      deps.relayDatabase,
      kind,
      "experiments.detach_emptied($1)",
      [kind],
      async () => undefined,
    );
    await dropping.catch((error: unknown) => {
      // A table is in use: later.
      if (!isLockTimeout(error)) throw error;
    });
  }
  return dropped;
}

/** Whether it was dropped: another process may be at it, and a change may have withdrawn it. */
async function dropBatch({ database, source, log }: DropDeps, batch: Batch): Promise<boolean> {
  const { applicationId, kind, number } = batch;
  const key = [applicationId, kind, number];
  const within = <T>(work: Parameters<typeof database.withScope<T>>[2]) =>
    database.withScope({ applicationId }, Date.now() + timeoutMs, work);
  if (source === undefined) return false;
  try {
    const hidden = await hiddenBatches(database, { schema: "experiments", applicationId, kind });
    await assertArchived(source, tablesOf(kind), batch, hidden);
    return await within(async (tx) => {
      tx.defer(begin);
      const lock = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS free";
      const [{ free } = { free: false }] = await tx.query<{ free: boolean }>(lock, [`drop ${key.join(" ")}`]);
      if (!free) return false;
      let [all, some] = [0, 0];
      do {
        some = await deleteSome[kind](tx, applicationId, new Date(batch.to), new Date(batch.from));
        all += some;
      } while (some > 0);
      // Last, as changes lock it, so that nobody waits for somebody who waits: who was before has withdrawn it.
      const ended = await tx.query(end, [...key, "dropped"]);
      if (ended.length === 0) throw new Withdrawn();
      if (all !== rowsOf(batch)) throw new Error(`PostgreSQL has ${all} rows of batch ${number}`);
      return true;
    });
  } catch (error) {
    if (error instanceof Withdrawn) return false;
    if (isArchiveUnavailable(error) || !(error instanceof Error) || !/ batch \d+$/.test(error.message)) throw error;
    // PostgreSQL has the rows: they are carried once more.
    log.error({ err: error, kind, batch: number }, "a batch of the archive is not what it was");
    await within((tx) => tx.query(end, [...key, "withdrawn"]));
    return false;
  }
}

class Withdrawn extends Error {}

/** What deleting counts: no steps, which go with their trace. */
function rowsOf({ kind, checks }: Batch): number {
  const counted = kind === "results" ? ["test", "evaluation"] : ["trace"];
  return counted.reduce((sum, table) => sum + Number(checks[table]?.rows ?? 0), 0);
}
