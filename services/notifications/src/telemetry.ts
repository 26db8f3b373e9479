// Gauges of what waits in the tables.

import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { cached } from "@ems/kit/telemetry/cached";
import { gauge } from "@ems/kit/telemetry/metrics";
import { missed } from "./feedback/index.ts";

const onBacklog = gauge({
  name: "ems_webhook_backlog",
  help: "Deliveries that are due or being attempted; counting ends at 100,000. Without those to endpoints left alone after our faults.",
  labels: [],
});
const onOldestDue = gauge({
  name: "ems_webhook_oldest_due_age_seconds",
  help: "How long the delivery that is due longest has been due; 0 when none is. Without those to endpoints left alone after our faults.",
  labels: [],
});
const onDead = gauge({
  name: "ems_dead_events",
  help: "Messages that came over the bus and are no event that we know; they are kept.",
  labels: [],
});
const onMissed = gauge({
  name: "ems_feedback_unsent",
  help: "Feedback that did not go out though there is a relay; it is kept until an operator has it sent again.",
  labels: [],
});

/** One query serves all gauges of a scrape, and scrapes within this time. */
const cacheMs = 1_000;

const backlogText = `SELECT count(*)::int AS due,
    coalesce(greatest(0, extract(epoch FROM now() - min(next_attempt_at))), 0)::float8 AS age,
    (SELECT count(*)::int FROM notifications.dead_event) AS dead,
    (SELECT count(*)::int FROM notifications.feedback WHERE ${missed}) AS feedback
  FROM (SELECT next_attempt_at FROM notifications.delivery
    WHERE status = 'PENDING' AND kind = 'EVENT' AND next_attempt_at <= now() AND application_id <> ALL ($1::uuid[])
    LIMIT 100000) AS waiting`;

interface Backlog {
  readonly due: number;
  readonly age: number;
  readonly dead: number;
  readonly feedback: number;
}

/** Registers the gauges; answers how to remove them. Deliveries of `paused` applications are not counted. */
export function watchBacklog(relayDatabase: RelayDatabase, paused: () => readonly string[]): () => void {
  const read = cached(cacheMs, async () => {
    const [row] = await relayDatabase.query<Backlog>({ text: backlogText, values: [paused()] });
    return row ?? { due: 0, age: 0, dead: 0, feedback: 0 };
  });
  const value = (key: keyof Backlog) => async () => [{ labels: {}, value: (await read())[key] }];
  const stops = [
    onBacklog(value("due")),
    onOldestDue(value("age")),
    onDead(value("dead")),
    onMissed(value("feedback")),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
