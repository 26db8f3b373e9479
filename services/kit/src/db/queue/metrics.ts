// Metrics of queues: the same of every queue.

import { cached } from "../../telemetry/cached.ts";
import { gauge } from "../../telemetry/metrics.ts";
import type { RelayDatabase } from "../relay-database.ts";
import { type PausedIn, readQueues, type WatchedQueue } from "./state.ts";

const onLag = gauge({
  name: "ems_queue_lag_seconds",
  help: "How long the job that has waited longest in the queue has been due; 0 when none is.",
  labels: ["queue"],
});
const onDepth = gauge({
  name: "ems_queue_depth",
  help: "Jobs of the queue that are due or leased; counting ends at 100,000.",
  labels: ["queue"],
});

/** Scrapes within this time share a read. */
const cacheMs = 1_000;

/** Exports the lag and depth of queues; answers how to stop. */
export function observeQueues(
  queues: readonly WatchedQueue[],
  relayDatabase: RelayDatabase,
  pausedIn?: PausedIn,
): () => void {
  const read = cached(cacheMs, () => readQueues(queues, (statements) => relayDatabase.batch(statements), pausedIn));
  const stops = [
    onLag(async () => (await read()).map(({ name, lagSeconds }) => ({ labels: { queue: name }, value: lagSeconds }))),
    onDepth(async () =>
      (await read()).map(({ name, due, leased }) => ({ labels: { queue: name }, value: due + leased })),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
