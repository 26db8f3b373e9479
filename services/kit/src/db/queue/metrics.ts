// Metrics that all queues share.

import { cached } from "../../telemetry/cached.ts";
import { gauge } from "../../telemetry/metrics.ts";
import type { RelayDatabase } from "../relay-database.ts";
import { type PausedIn, readQueues, type WatchedQueue } from "./state.ts";

const onLag = gauge({
  name: "ems_queue_lag_seconds",
  help: "Age of the oldest due job in the queue; 0 when none is due.",
  labels: ["queue"],
});
const onDepth = gauge({
  name: "ems_queue_depth",
  help: "Jobs of the queue that are due or leased; counting ends at 100,000.",
  labels: ["queue"],
});

/** Scrapes within this time share a read. */
const cacheMs = 1_000;

/** Exports lag and depth of queues; returns a function that stops the export. */
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
