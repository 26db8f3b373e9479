// Deletes traces or results that are past their retention: whole months by dropping partitions, the rest in batches of an application.

import { monotonicMs } from "@ems/kit/clock";
import type { Database } from "@ems/kit/db/database";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import { applicationsWith, type OnDeleted } from "@ems/kit/retention";
import { applicationsWithTraces, deleteOldestTraces } from "../../traces/deletion/index.ts";

export interface ClearDeps {
  readonly database: Database;
  readonly relayDatabase: RelayDatabase;
  /** Deletes what the archive has; answers how many rows. */
  readonly expireArchived?: (kind: Kind, before: Date) => Promise<number>;
}

type Kind = "traces" | "results";

/** Shows what is past its retention; its parts are looked up by their keys, whatever statistics say of their number. */
export const begin = `SELECT set_config('ems.retention', 'deletes', true), set_config('enable_hashjoin', 'off', true),
  set_config('enable_mergejoin', 'off', true), set_config('enable_seqscan', 'off', true)`;

/** Few enough that nobody waits long for a lock or a connection. */
const testsMax = 1_000;
const timeoutMs = 30_000;

export async function clear(deps: ClearDeps, kind: Kind, before: Date, onDeleted: OnDeleted): Promise<void> {
  await dropMonths(deps.relayDatabase, kind, "experiments.detach_expired($1, $2)", [kind, before], onDeleted);
  for (const applicationId of await applicationsOf[kind](deps.relayDatabase, before)) {
    let deleted = 0;
    do {
      // Nobody's call: it gives way to requests.
      deleted = await deps.database.withScope({ applicationId }, monotonicMs() + timeoutMs, async (tx) => {
        tx.defer(begin);
        return deleteSome[kind](tx, applicationId, before);
      });
      await onDeleted(deleted);
    } while (deleted > 0);
  }
  await onDeleted((await deps.expireArchived?.(kind, before)) ?? 0);
}

/** Detaches months as long as `detach` finds one, and drops them; what a process that died has detached is dropped, too. */
export async function dropMonths(
  relayDatabase: RelayDatabase,
  kind: Kind,
  detach: string,
  values: readonly unknown[],
  onDeleted: OnDeleted,
): Promise<void> {
  for (;;) {
    const [row] = await relayDatabase.query<{ detached: boolean }>({ text: `SELECT ${detach} AS detached`, values });
    if (row?.detached !== true) break;
    await onDeleted(0);
  }
  for (;;) {
    const [dropped] = await relayDatabase.query<{ part: string | null; deleted: string }>({
      text: "SELECT part, deleted FROM experiments.drop_detached($1)",
      values: [kind],
    });
    if (dropped === undefined || dropped.part === null) break;
    await onDeleted(Number(dropped.deleted));
  }
}

const applicationsOf = {
  traces: applicationsWithTraces,
  results: (relayDatabase: RelayDatabase, before: Date) =>
    applicationsWith(relayDatabase, { table: "experiments.test", age: "created_at" }, before),
};

/** Deletes some of the oldest rows before `before`, from `from` on; answers how many tests and evaluations, or traces. */
const deleteSome = { traces: deleteOldestTraces, results: deleteOldResults } as const;

/** Deletes all rows of the time. */
export async function deleteAll(
  kind: Kind,
  tx: Transaction,
  applicationId: string,
  from: Date,
  to: Date,
): Promise<number> {
  tx.defer(begin);
  let [all, some] = [0, 0];
  do {
    some = await deleteSome[kind](tx, applicationId, to, from);
    all += some;
  } while (some > 0);
  return all;
}

const within = (row: string) =>
  `${row}.application_id = $1 AND ${row}.created_at >= coalesce($3, '-infinity'::timestamptz)`;

// Evaluations have the time of their test.
export const lastOfBatch = `SELECT max(created_at) AS last FROM (SELECT t.created_at FROM experiments.test t
  WHERE t.created_at < $2 AND ${within("t")} ORDER BY t.created_at LIMIT ${testsMax}) batch`;
const deleteTests = `WITH deleted AS (
    DELETE FROM experiments.test t WHERE t.created_at <= $2 AND ${within("t")} RETURNING t.id
  ), ended AS (
    DELETE FROM experiments.test_execution x USING deleted d WHERE x.application_id = $1 AND x.test_id = d.id
  )
  SELECT count(*)::int AS deleted FROM deleted`;
const deleteEvaluations = `WITH deleted AS (
    DELETE FROM experiments.evaluation e WHERE e.created_at <= $2 AND ${within("e")} RETURNING 1
  ) SELECT count(*)::int AS deleted FROM deleted`;

async function deleteOldResults(tx: Transaction, applicationId: string, before: Date, from?: Date): Promise<number> {
  const [batch] = await tx.query<{ last: Date | null }>(lastOfBatch, [applicationId, before, from ?? null]);
  const last = batch?.last;
  if (last === null || last === undefined) return 0;
  const counts = await Promise.all(
    [deleteEvaluations, deleteTests].map((text) =>
      tx.query<{ deleted: number }>(text, [applicationId, last, from ?? null]),
    ),
  );
  return counts.flat().reduce((sum, { deleted }) => sum + deleted, 0);
}
