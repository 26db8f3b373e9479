// Consumes events into the inbox: an event and everything made of it are stored in one transaction, so that a redelivery has no effect.

import { runEvery } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import type { EventBus, EventHandler, ReceivedEvent, Subscription } from "@ems/kit/events/bus";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { prune } from "@ems/kit/prune";
import type pg from "pg";
import { pruneDeadLetters, storeDeadLetter } from "../dead-letters/index.ts";
import { reconcile } from "./reconcile.ts";

/** Handles events that are new to the inbox, in the transaction that records them there. */
export type HandleEvents = (client: pg.ClientBase, events: readonly ReceivedEvent[]) => Promise<void>;

export interface InboxDeps {
  /** As the role that sees every application's inbox. */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  readonly handlers: readonly HandleEvents[];
  /** Called after a commit that handled new events. */
  readonly onHandled: () => void;
}

/** Longer than a published event stays in an outbox: no redelivery comes after that. */
const retentionMs = 30 * 24 * 60 * 60_000;
const pruneEveryMs = 60 * 60_000;

export interface ConsumeDeps extends InboxDeps {
  readonly bus: EventBus;
  /** How often outboxes are compared with the inbox. */
  readonly reconcileMs: number;
}

/** Consumes events from the bus, has lost ones published again, and prunes old ones. */
export function consumeEvents({ bus, reconcileMs, ...deps }: ConsumeDeps): Subscription {
  const { pool, log } = deps;
  const parts = [
    bus.consume(inbox(deps)),
    runEvery("reconciling events", reconcileMs, async () => void (await reconcile({ bus, pool, log })), log),
    runEvery("pruning the inbox", pruneEveryMs, () => pruneInbox(deps), log),
    runEvery("pruning dead events", pruneEveryMs, () => pruneDeadLetters(deps), log),
  ];
  return {
    stop: async () => {
      for (const part of parts) await part.stop();
    },
  };
}

/** Handles each event once. */
export function inbox({ handlers, onHandled, ...deps }: InboxDeps): EventHandler {
  const { pool, clock } = deps;
  return {
    async handle(events) {
      const isAnyNew = await inTransaction(pool, async (client) => {
        const added = await recordEvents(client, events, clock.now());
        if (added.length > 0) for (const handleEvents of handlers) await handleEvents(client, added);
        return added.length > 0;
      });
      if (isAnyNew) onHandled();
    },
    deadLetter: (message) => storeDeadLetter(deps, message),
    async ready() {
      const { rows } = await pool.query<{ isReadOnly: boolean }>(
        `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
      );
      if (rows[0]?.isReadOnly) throw new Error("the database takes no writes");
    },
  };
}

export async function pruneInbox({ pool, clock }: Pick<InboxDeps, "pool" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs);
  const key = ["application_id", "event_id"];
  await prune(pool, { table: "notifications.inbox", key, age: "received_at", before });
}

/** Records events in the inbox; answers those that were not there yet. */
async function recordEvents(
  client: pg.ClientBase,
  events: readonly ReceivedEvent[],
  now: Date,
): Promise<ReceivedEvent[]> {
  // Fixed lock order prevents deadlocks between consumers of the same events.
  const ordered = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const { rows } = await client.query<{ event_id: string }>(
    `INSERT INTO notifications.inbox (application_id, event_id, received_at)
     SELECT *, $3 FROM unnest($1::uuid[], $2::uuid[]) ON CONFLICT DO NOTHING RETURNING event_id`,
    [ordered.map(({ applicationId }) => applicationId), ordered.map(({ id }) => id), now],
  );
  const added = new Set(rows.map(({ event_id }) => event_id));
  return ordered.filter(({ id }) => added.has(id));
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
    // A connection whose transaction ended in doubt is not reused.
    client.release(isBroken);
  }
}
