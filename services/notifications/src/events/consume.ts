import { runEvery } from "@ems/kit/background";
import type { EventBus, Subscription } from "@ems/kit/events/bus";
import { type InboxDeps, inbox } from "./inbox.ts";
import { pruneDeadEvents, pruneInbox } from "./prune.ts";
import { reconcile } from "./reconcile.ts";

const pruneMs = 60 * 60_000;

export interface ConsumeDeps extends InboxDeps {
  readonly bus: EventBus;
  /** How often it is looked whether an event was lost on the way. */
  readonly reconcileMs: number;
}

/** Takes in what comes over the bus, has sent again what was lost, and forgets what came long ago. */
export function consumeEvents({ bus, reconcileMs, ...deps }: ConsumeDeps): Subscription {
  const { pool, log } = deps;
  const parts = [
    bus.consume(inbox(deps)),
    runEvery("reconciling events", reconcileMs, async () => void (await reconcile({ bus, pool, log })), log),
    runEvery("pruning the inbox", pruneMs, () => pruneInbox(deps), log),
    runEvery("pruning dead events", pruneMs, () => pruneDeadEvents(deps), log),
  ];
  return {
    stop: async () => {
      for (const part of parts) await part.stop();
    },
  };
}
