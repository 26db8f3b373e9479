import { runEvery } from "@ems/kit/background";
import type { EventBus, Subscription } from "@ems/kit/events/bus";
import { pruneDeadLetters } from "../dead-letters/index.ts";
import { type InboxDeps, inbox, pruneInbox } from "./inbox.ts";
import { reconcile } from "./reconcile.ts";

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
