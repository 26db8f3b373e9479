// Reconciliation: republishes events that were published but never arrived (a deleted stream, a lost disk). Only for
// this, the relay role reads IDs and publishing times in other services' outboxes; it may only clear the times.

import { advisoryLocks } from "@ems/kit/db/advisory-locks";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { EventBus } from "@ems/kit/events/bus";
import type { Logger } from "@ems/kit/log";

export interface ReconcileDeps {
  readonly bus: Pick<EventBus, "ackedUpTo">;
  readonly relayDatabase: RelayDatabase;
  readonly log: Logger;
}

const lookback = "interval '24 hours'";
/** Minimum age, longer than JetStream's duplicate window: an event republished within the window would be dropped. */
const ageMin = "interval '15 minutes'";
/** Age after which events without an acknowledgment are republished anyway. */
const unackedFor = "interval '12 hours'";
const batchMax = 5_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Timeout, longer than any reconciliation takes. */
const limitMs = 60 * 60_000;

/** Has events of the last 24 h that never arrived published a second time; returns their number. */
export async function reconcile({ bus, relayDatabase, log }: ReconcileDeps): Promise<number> {
  const ackedUpTo = await bus.ackedUpTo();
  // This transaction only holds the lock. Batches use transactions of their own, so that none is long.
  return relayDatabase.transaction(async (tx) => {
    const lock = "SELECT pg_try_advisory_xact_lock($1) AS held";
    const [row] = await tx.query<{ held: boolean }>(lock, [advisoryLocks.reconciliation]);
    if (row?.held !== true) return 0;
    const windows = await relayDatabase.query<Window>({
      text: `SELECT now() - ${lookback} AS after,
        least(now() - ${ageMin}, greatest($1::timestamptz - interval '1 minute', now() - ${unackedFor})) AS until`,
      values: [ackedUpTo],
    });
    let requeued = 0;
    for (const schema of await outboxes(relayDatabase))
      for (const window of windows) requeued += await requeue(relayDatabase, schema, window);
    if (requeued > 0) log.warn({ events: requeued }, "lost events are republished");
    return requeued;
  }, limitMs);
}

interface Window {
  readonly after: Date;
  readonly until: Date;
}

/** Returns the schemas that have an outbox. */
async function outboxes(relayDatabase: RelayDatabase): Promise<string[]> {
  const rows = await relayDatabase.query<{ schema: string }>({
    text: `SELECT quote_ident(n.nspname) AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = 'outbox' AND c.relkind IN ('r', 'p') AND has_schema_privilege(n.oid, 'USAGE')
       AND has_any_column_privilege(c.oid, 'UPDATE') ORDER BY 1`,
  });
  return rows.map(({ schema }) => schema);
}

/** Requeues in batches, so that no statement takes long, no matter how many events there are. */
async function requeue(relayDatabase: RelayDatabase, schema: string, { after, until }: Window): Promise<number> {
  let requeued = 0;
  let last: Batch | undefined = { requeued, at: after.toISOString(), id: firstId };
  while (last !== undefined) {
    last = await requeueBatch(relayDatabase, schema, last, until);
    requeued += last?.requeued ?? 0;
  }
  return requeued;
}

/** Number of requeued events in the batch, and time and ID of its last event. */
interface Batch {
  readonly requeued: number;
  readonly at: string;
  readonly id: string;
}

async function requeueBatch(relayDatabase: RelayDatabase, schema: string, after: Batch, until: Date) {
  const [row] = await relayDatabase.query<Batch>({
    text: `WITH batch AS MATERIALIZED (
       SELECT application_id, id, published_at FROM ${schema}.outbox
       WHERE published_at IS NOT NULL AND (published_at, id) > ($1, $2) AND published_at < $3
       ORDER BY published_at, id LIMIT ${batchMax}),
     requeued AS (
       UPDATE ${schema}.outbox AS o SET published_at = NULL, locked_until = NULL FROM batch
       WHERE o.application_id = batch.application_id AND o.id = batch.id AND o.published_at = batch.published_at
         AND NOT EXISTS (SELECT FROM notifications.inbox i
                         WHERE i.application_id = batch.application_id AND i.event_id = batch.id)
         AND NOT EXISTS (SELECT FROM notifications.dead_event d
                         WHERE d.application_id = batch.application_id AND d.id = batch.id)
       RETURNING 1)
     SELECT (SELECT count(*)::int FROM requeued) AS requeued, published_at::text AS at, id FROM batch
     ORDER BY published_at DESC, id DESC LIMIT 1`,
    values: [after.at, after.id, until],
  });
  return row;
}
