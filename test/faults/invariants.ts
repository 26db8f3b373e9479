// Invariants after any fault (from the design): every acknowledged write exists exactly once, every
// refused one left nothing, every change has exactly one event, every event's delivery ended or is visible with its log, and
// the receiver's ids are the events' ids.

import { readEvent } from "@ems/kit/events/content";
import type { QueryResultRow } from "pg";

export interface Evidence {
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  readonly applicationId: string;
  readonly acknowledged: ReadonlySet<string>;
  readonly refused: ReadonlySet<string>;
  /** The `webhook-id` of every topic.created that the receiver answered with 2xx. */
  readonly received: ReadonlySet<string>;
}

/** Number of the application's topic.created events whose delivery has not ended. */
export async function undelivered({ sql, applicationId }: Pick<Evidence, "sql" | "applicationId">): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `SELECT count(*)::int AS count FROM catalog.outbox o
     WHERE o.application_id = $1 AND NOT EXISTS (
       SELECT FROM notifications.delivery d
       WHERE d.application_id = o.application_id AND d.id = o.id AND d.status = 'DELIVERED')`,
    [applicationId],
  );
  return row?.count ?? Number.NaN;
}

/** Violations, one sentence each. */
export async function broken({ sql, applicationId, acknowledged, refused, received }: Evidence): Promise<string[]> {
  const topics = await sql<{ id: string; title: string }>(
    "SELECT id, title FROM catalog.topic WHERE application_id = $1 AND title LIKE 'Load %'",
    [applicationId],
  );
  const created = await sql<{ id: string; message: Buffer }>(
    "SELECT id, message FROM catalog.outbox WHERE application_id = $1 AND type = 'topic.created'",
    [applicationId],
  );
  const events = created.flatMap(({ id, message }) => {
    const { data } = readEvent(message);
    return data.case === "topicCreated" && data.value.title.startsWith("Load ") ? { id, topic: data.value.id } : [];
  });
  const unlogged = await sql<{ id: string }>(
    `SELECT id FROM notifications.delivery d WHERE application_id = $1 AND status = 'DELIVERED' AND NOT EXISTS (
       SELECT FROM notifications.attempt a
       WHERE a.application_id = d.application_id AND a.delivery_id = d.id AND a.outcome = 'DELIVERED')`,
    [applicationId],
  );
  const topicIds = new Set(topics.map(({ id }) => id));
  const eventIds = new Set(events.map(({ id }) => id));
  const perTopic = Map.groupBy(events, ({ topic }) => topic);
  return [
    ...missing(acknowledged, topicIds).map((id) => `topic ${id} was acknowledged and is not there`),
    ...missing(topicIds, acknowledged).map((id) => `topic ${id} is there and was never acknowledged`),
    ...topics.filter(({ title }) => refused.has(title)).map(({ id }) => `topic ${id} was refused and is there`),
    ...[...topicIds].flatMap((id) => {
      const eventCount = perTopic.get(id)?.length ?? 0;
      return eventCount === 1 ? [] : [`topic ${id} is told by ${eventCount} events`];
    }),
    ...missing(eventIds, received).map((id) => `event ${id} was never received`),
    ...missing(received, eventIds).map((id) => `event ${id} was received and does not exist`),
    ...unlogged.map(({ id }) => `delivery ${id} is delivered and no logged attempt says so`),
  ];
}

function missing(expected: ReadonlySet<string>, actual: ReadonlySet<string>): string[] {
  return [...expected].filter((id) => !actual.has(id));
}
