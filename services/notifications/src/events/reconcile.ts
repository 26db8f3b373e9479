// Reconciliation: events that were published but never arrived (a deleted stream, a lost disk) are published again. Only here
// does the relay role read other services' outboxes: ids and publishing times, and it may only clear the latter.

import { advisoryLocks } from "@ems/kit/db/advisory-locks";
import type { EventBus } from "@ems/kit/events/bus";
import type { Logger } from "@ems/kit/log";
import type pg from "pg";

export interface ReconcileDeps {
  readonly bus: Pick<EventBus, "ackedUpTo">;
  readonly pool: pg.Pool;
  readonly log: Logger;
}

const lookback = "interval '24 hours'";
/** Longer than JetStream's duplicate window: an event published again within it would be dropped. */
const ageMin = "interval '15 minutes'";
/** Events without an ack for this long are published again all the same. */
const unackedFor = "interval '12 hours'";
const batchMax = 5_000;
const firstId = "00000000-0000-0000-0000-000000000000";

/** Has events of the last 24 h that never arrived published again; answers how many. */
export async function reconcile({ bus, pool, log }: ReconcileDeps): Promise<number> {
  const ackedUpTo = await bus.ackedUpTo();
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_lock($1) AS held", [
      advisoryLocks.reconciliation,
    ]);
    if (rows[0]?.held !== true) return 0;
    const { rows: windows } = await client.query<Window>(
      `SELECT now() - ${lookback} AS after,
         least(now() - ${ageMin}, greatest($1::timestamptz - interval '1 minute', now() - ${unackedFor})) AS until`,
      [ackedUpTo],
    );
    let requeued = 0;
    for (const schema of await outboxes(client))
      for (const window of windows) requeued += await requeue(client, schema, window);
    if (requeued > 0) log.warn({ events: requeued }, "events were lost on the way and are sent again");
    await client.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.reconciliation]);
    return requeued;
  } finally {
    // The end of the session releases the lock, whatever happened.
    client.release(true);
  }
}

interface Window {
  readonly after: Date;
  readonly until: Date;
}

/** The schemas that have an outbox. */
async function outboxes(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(
    `SELECT quote_ident(n.nspname) AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relname = 'outbox' AND c.relkind IN ('r', 'p') AND has_schema_privilege(n.oid, 'USAGE')
       AND has_any_column_privilege(c.oid, 'UPDATE') ORDER BY 1`,
  );
  return rows.map(({ schema }) => schema);
}

/** In batches, so that no statement is long however many events there are. */
async function requeue(client: pg.ClientBase, schema: string, { after, until }: Window): Promise<number> {
  let requeued = 0;
  let last: Batch | undefined = { requeued, at: after.toISOString(), id: firstId };
  while (last !== undefined) {
    last = await requeueBatch(client, schema, last, until);
    requeued += last?.requeued ?? 0;
  }
  return requeued;
}

/** How many events of the batch are published again, and the last event's time and id. */
interface Batch {
  readonly requeued: number;
  readonly at: string;
  readonly id: string;
}

async function requeueBatch(client: pg.ClientBase, schema: string, after: Batch, until: Date) {
  const { rows } = await client.query<Batch>(
    `WITH batch AS MATERIALIZED (
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
    [after.at, after.id, until],
  );
  return rows[0];
}
