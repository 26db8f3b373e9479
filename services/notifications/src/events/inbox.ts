// Consumes events through an inbox: an event and its effects are stored in one transaction, so that receiving the event
// a second time has no effect.

import { runEvery } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { Transaction } from "@ems/kit/db/transaction";
import type { EventBus, EventHandler, ReceivedEvent, Subscription } from "@ems/kit/events/bus";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { prune } from "@ems/kit/prune";
import { handleNewer, pruneDeadLetters, storeDeadLetter } from "../dead-letters/index.ts";
import { InboxEntity } from "./entity.ts";
import { reconcile } from "./reconcile.ts";

/** Handles events that are new to the inbox, in the transaction that adds them to the inbox. */
export type HandleEvents = (tx: Transaction, events: readonly ReceivedEvent[]) => Promise<void>;

export interface InboxDeps {
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
  readonly handlers: readonly HandleEvents[];
  /** Called after the commit, with those events that were new. */
  readonly onHandled: (events: readonly ReceivedEvent[]) => void;
}

/** Longer than outboxes retain published events; after that, an event cannot be delivered a second time. */
const retentionMs = 30 * 24 * 60 * 60_000;
const pruneEveryMs = 60 * 60_000;
/** Maximum time by which an upgrade may delay an event. */
const newerEveryMs = 10_000;

export interface ConsumeDeps extends InboxDeps {
  readonly bus: EventBus;
  /** Interval for comparing outboxes with the inbox. */
  readonly reconcileMs: number;
}

/** Consumes events from the bus, has lost ones published a second time, and deletes old ones from the inbox. */
export function consumeEvents({ bus, reconcileMs, ...deps }: ConsumeDeps): Subscription {
  const { relayDatabase, log } = deps;
  const handler = inbox(deps);
  const parts = [
    bus.consume(handler),
    runEvery("handling newer events", newerEveryMs, async () => void (await handleNewer({ ...deps, handler })), log),
    runEvery("reconciling events", reconcileMs, async () => void (await reconcile({ bus, relayDatabase, log })), log),
    runEvery("pruning the inbox", pruneEveryMs, () => pruneInbox(deps), log),
    runEvery("pruning dead letters", pruneEveryMs, () => pruneDeadLetters(deps), log),
  ];
  return {
    stop: async () => {
      for (const part of parts) await part.stop();
    },
  };
}

/** Creates an event handler that handles every event once. */
export function inbox({ handlers, onHandled, ...deps }: InboxDeps): EventHandler {
  const { relayDatabase, clock } = deps;
  return {
    async handle(events) {
      const handled = await relayDatabase.transaction(async (tx) => {
        const added = await recordEvents(tx, events, clock.now());
        if (added.length > 0) for (const handleEvents of handlers) await handleEvents(tx, added);
        return added;
      });
      if (handled.length > 0) onHandled(handled);
    },
    deadLetter: (message) => storeDeadLetter(deps, message),
    async ready() {
      const [row] = await relayDatabase.query<{ isReadOnly: boolean }>({
        text: `SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
      });
      if (row?.isReadOnly) throw new Error("the database is read-only");
    },
  };
}

export async function pruneInbox({ relayDatabase, clock }: Pick<InboxDeps, "relayDatabase" | "clock">): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs);
  const key = ["application_id", "event_id"];
  await prune(relayDatabase, { table: "notifications.inbox", key, age: "received_at", before });
}

/** Adds events to the inbox; returns those that are new. */
async function recordEvents(tx: Transaction, events: readonly ReceivedEvent[], now: Date): Promise<ReceivedEvent[]> {
  // Sorted: a fixed order of locks prevents deadlocks between consumers of the same events.
  const ordered = [...new Map(events.map((event) => [event.id, event])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const rows = ordered.map(({ applicationId, id }) => ({ applicationId, eventId: id, receivedAt: now }));
  const recorded = await tx.insertReturning(InboxEntity, rows, ["eventId"], "ignore");
  const added = new Set(recorded.map(({ eventId }) => eventId));
  return ordered.filter(({ id }) => added.has(id));
}
