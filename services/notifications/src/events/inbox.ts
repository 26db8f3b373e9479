// The consumer of events: what came is noted in the inbox in the transaction of everything that is made of it, so that an
// event that comes again is made nothing of again.

import type { Clock } from "@ems/kit/clock";
import type { DeadLetter, EventHandler, ReceivedEvent } from "@ems/kit/events/bus";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import type pg from "pg";

/** Makes something of events that were not taken in before, in the transaction that notes them. */
export type Taker = (client: pg.ClientBase, events: readonly ReceivedEvent[]) => Promise<void>;

export interface InboxDeps {
  /** As the role that sees every application's inbox. */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  readonly takers: readonly Taker[];
  /** Called after a commit that took new events in. */
  readonly onTaken: () => void;
}

/** Stands for an application that a dead message does not name. */
export const nobody = "00000000-0000-0000-0000-000000000000";

export function inbox({ pool, clock, newId, log, takers, onTaken }: InboxDeps): EventHandler {
  return {
    async handle(events) {
      const fresh = await inTransaction(pool, async (client) => {
        const fresh = await noted(client, events, clock.now());
        if (fresh.length > 0) for (const take of takers) await take(client, fresh);
        return fresh;
      });
      if (fresh.length > 0) onTaken();
    },
    async deadLetter({ applicationId = nobody, id = newId(), subject, headers, payload, reason }: DeadLetter) {
      await pool.query(
        `INSERT INTO notifications.dead_event (application_id, id, subject, headers, payload, reason, buried_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
        [applicationId, id, withoutNul(subject), withoutNul(JSON.stringify(headers)), payload, reason, clock.now()],
      );
      log.error({ applicationId, event: id, reason }, "a message that is no event was put aside");
    },
    async ready() {
      const { rows } = await pool.query<{ isReadOnly: boolean }>(
        `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
      );
      if (rows[0]?.isReadOnly) throw new Error("the database takes no writes");
    },
  };
}

/** Notes events in the inbox; answers those that were not there yet. */
async function noted(client: pg.ClientBase, events: readonly ReceivedEvent[], now: Date): Promise<ReceivedEvent[]> {
  // In one order everywhere: consumers that got the same events do not wait for each other in a circle.
  const ordered = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const { rows } = await client.query<{ event_id: string }>(
    `INSERT INTO notifications.inbox (application_id, event_id, received_at)
     SELECT *, $3 FROM unnest($1::uuid[], $2::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id`,
    [ordered.map(({ applicationId }) => applicationId), ordered.map(({ id }) => id), now],
  );
  const fresh = new Set(rows.map(({ event_id }) => event_id));
  return ordered.filter(({ id }) => fresh.has(id));
}

async function inTransaction<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = true;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    isBroken = false;
    return result;
  } catch (error) {
    isBroken = await client.query("ROLLBACK").then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    // A connection whose transaction ended in doubt is not handed on.
    client.release(isBroken);
  }
}

/** PostgreSQL keeps no NUL in text. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\u{fffd}").replaceAll("\\u0000", "\\ufffd");
}
