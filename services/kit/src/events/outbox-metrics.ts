// Metrics of the outbox and of published and handled events.

import type { RelayDatabase } from "../db/relay-database.ts";
import { cached } from "../telemetry/cached.ts";
import { counter, gauge } from "../telemetry/metrics.ts";

const onPending = gauge({
  name: "ems_outbox_pending",
  help: "Events that wait in the service's outbox; counting ends at 100,000.",
  labels: ["outbox"],
});
const onOldest = gauge({
  name: "ems_outbox_oldest_age_seconds",
  help: "How long ago the oldest event that waits in the service's outbox happened; 0 when none waits.",
  labels: ["outbox"],
});

export const countPublished = counter({
  name: "ems_events_published_total",
  help: "Events that were handed to the bus (outcome published), or could not be (failed).",
  labels: ["outbox", "outcome"],
});

export const countHandled = counter({
  name: "ems_events_taken_total",
  help: "Events that came over the bus and were taken in (outcome taken), or could not be (failed).",
  labels: ["outcome"],
});

const countMax = 100_000;
/** The table is read at most that often. */
const cacheMs = 1_000;

export interface OutboxBacklog {
  /** Unpublished events; counting ends at 100,000. */
  readonly pending: number;
  /** Age of the oldest in seconds; 0 without any. */
  readonly age: number;
}

/** What waits in the outbox of `schema`, read as its relay role. */
export async function readOutboxBacklog(
  query: (text: string) => Promise<OutboxBacklog[]>,
  schema: string,
): Promise<OutboxBacklog> {
  const [backlog] = await query(
    `SELECT count(*)::int AS pending, coalesce(greatest(0, extract(epoch FROM now() - min(occurred_at))), 0)::float8 AS age
     FROM (SELECT occurred_at FROM ${schema}.outbox WHERE published_at IS NULL LIMIT ${countMax}) AS waiting`,
  );
  return backlog ?? { pending: 0, age: 0 };
}

/** Exports the size and age of the outbox of `schema`. Answers how to stop. */
export function observeOutbox(schema: string, relayDatabase: RelayDatabase): () => void {
  const read = cached(cacheMs, () => readOutboxBacklog((text) => relayDatabase.query({ text }), schema));
  const labels = { outbox: schema };
  const stops = [
    onPending(async () => [{ labels, value: (await read()).pending }]),
    onOldest(async () => [{ labels, value: (await read()).age }]),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
