// Events that their service published and that never came, because a stream was deleted or a server lost its disk, are sent
// again: outboxes are compared with the inbox. For that alone notifications looks into other services' outboxes, where its
// relay role sees ids and times of publishing, and may do nothing but have an event sent again.

import { advisoryLocks } from "@ems/kit/db/advisory-locks";
import type { EventBus } from "@ems/kit/events/bus";
import type { Logger } from "@ems/kit/log";
import type pg from "pg";
import { nobody } from "./inbox.ts";

export interface ReconcileDeps {
  readonly bus: Pick<EventBus, "ackedUpTo">;
  readonly pool: pg.Pool;
  readonly log: Logger;
}

const lookBack = "interval '24 hours'";
/** Longer than JetStream refuses a message's id as a duplicate: sent earlier, an event would be thrown away again. */
const notBefore = "interval '15 minutes'";
/** What the bus has not settled for that long is sent again all the same. */
const unsettledFor = "interval '12 hours'";
const pieceMax = 5_000;

/** Has published events of the last 24 h sent again that did not come. Answers how many. */
export async function reconcile({ bus, pool, log }: ReconcileDeps): Promise<number> {
  const ackedUpTo = await bus.ackedUpTo();
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ held: boolean }>("SELECT pg_try_advisory_lock($1) AS held", [
      advisoryLocks.reconciliation,
    ]);
    if (rows[0]?.held !== true) return 0;
    const { rows: windows } = await client.query<Window>(
      `SELECT now() - ${lookBack} AS after,
         least(now() - ${notBefore}, greatest($1::timestamptz - interval '1 minute', now() - ${unsettledFor})) AS until`,
      [ackedUpTo],
    );
    let sent = 0;
    for (const schema of await outboxes(client))
      for (const window of windows) sent += await resend(client, schema, window);
    if (sent > 0) log.warn({ events: sent }, "events were lost on the way and are sent again");
    await client.query("SELECT pg_advisory_unlock($1)", [advisoryLocks.reconciliation]);
    return sent;
  } finally {
    // The end of the session gives the lock back, whatever happened.
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

/** Goes through the window in pieces, so that no statement is long however many events there are. */
async function resend(client: pg.ClientBase, schema: string, { after, until }: Window): Promise<number> {
  let sent = 0;
  let last: Piece | undefined = { sent, at: after.toISOString(), id: nobody };
  while (last !== undefined) {
    last = await resendPiece(client, schema, last, until);
    sent += last?.sent ?? 0;
  }
  return sent;
}

/** A piece of the window: how many of its events are sent again, and the last event's time and id. */
interface Piece {
  readonly sent: number;
  readonly at: string;
  readonly id: string;
}

async function resendPiece(client: pg.ClientBase, schema: string, after: Piece, until: Date) {
  const { rows } = await client.query<Piece>(
    `WITH piece AS MATERIALIZED (
       SELECT application_id, id, published_at FROM ${schema}.outbox
       WHERE published_at IS NOT NULL AND (published_at, id) > ($1, $2) AND published_at < $3
       ORDER BY published_at, id LIMIT ${pieceMax}),
     again AS (
       UPDATE ${schema}.outbox AS o SET published_at = NULL, locked_until = NULL FROM piece
       WHERE o.application_id = piece.application_id AND o.id = piece.id AND o.published_at = piece.published_at
         AND NOT EXISTS (SELECT FROM notifications.inbox i
                         WHERE i.application_id = piece.application_id AND i.event_id = piece.id)
         AND NOT EXISTS (SELECT FROM notifications.dead_event d
                         WHERE d.application_id = piece.application_id AND d.id = piece.id)
       RETURNING 1)
     SELECT (SELECT count(*)::int FROM again) AS sent, published_at::text AS at, id FROM piece
     ORDER BY published_at DESC, id DESC LIMIT 1`,
    [after.at, after.id, until],
  );
  return rows[0];
}
