// The outbox as a queue.

import { defineQueue, type Leased, type WatchedQueue } from "../db/queue/index.ts";
import { hasOutbox, type Schema } from "../db/schema.ts";
import type { OutboxRow } from "./outbox.ts";

const columns = ["orgId", "type", "subject", "message", "payload", "traceparent"] as const;
/** An event of the outbox in the form that a claim reads. */
export type ClaimedRow = Leased & Readonly<Pick<OutboxRow, (typeof columns)[number]>>;

/** The outbox of a schema as a queue: `locked_until` is the lease of a claim, or the backoff after a failure. */
export function outboxQueue(schema: string) {
  return defineQueue<ClaimedRow>({
    name: `${schema}.outbox`,
    table: `${schema}.outbox`,
    where: "published_at IS NULL",
    due: "coalesce(locked_until, '-infinity')",
    lease: "locked_until",
    since: "occurred_at",
    columns,
    attempts: "publish_attempts",
    fairness: "oldest",
  });
}

/** Lists all queues of a schema. */
export function listSchemaQueues(schema: Schema): readonly WatchedQueue[] {
  return [...(hasOutbox(schema) ? [outboxQueue(schema.name)] : []), ...(schema.queues ?? [])];
}
