import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import { applicationsWith } from "@ems/kit/retention";
import { deleteTraces } from "../traces/index.ts";

/** Few enough that nobody waits long for a lock or a connection. */
const batchMax = 200;

export const oldTraces = `SELECT t.id FROM experiments.trace t
  WHERE t.application_id = $1 AND t.created_at < $2 AND t.created_at >= coalesce($3, '-infinity'::timestamptz)
  ORDER BY t.created_at, t.id LIMIT ${batchMax} FOR UPDATE`;

/** Ids of the applications that have traces from before the time. */
export function applicationsWithTraces(relayDatabase: RelayDatabase, before: Date): Promise<string[]> {
  return applicationsWith(relayDatabase, { table: "experiments.trace", age: "created_at" }, before);
}

/**
 * Deletes some of the oldest traces from before the time, from `from` on; answers how many. Takes the transaction, whose settings
 * allow the deletion, since the archive evicts traces in one with its own rows for now.
 */
export async function deleteOldestTraces(
  tx: Transaction,
  applicationId: string,
  before: Date,
  from?: Date,
): Promise<number> {
  const traces = await tx.query<{ id: string }>(oldTraces, [applicationId, before, from ?? null]);
  return deleteTraces(
    tx,
    applicationId,
    traces.map(({ id }) => id),
  );
}
