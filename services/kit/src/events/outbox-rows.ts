// A relay's statements on the rows of an outbox. Times are PostgreSQL's, so that relays on several machines share one clock.

import type pg from "pg";
import { prune } from "../prune.ts";
import type { BusEvent } from "./bus.ts";

interface DueRow {
  readonly id: string;
  readonly application_id: string;
  readonly org_id: string;
  readonly type: string;
  readonly subject: string;
  readonly payload: string;
  readonly traceparent: string | null;
}

/** The outcome of publishing an event; without an error it is published. */
export interface PublishOutcome {
  readonly applicationId: string;
  readonly id: string;
  readonly error: string | null;
}

/** Events of one claim. */
export const claimMax = 100;
const lease = "interval '30 s'";
/** Backoff of one event: 0.2 s after its first failure, doubled with each, 30 s at most. */
const backoff = "least(30, 0.2 * 2 ^ least(publish_attempts, 10)) * interval '1 s'";

/** Claims events that are due and not claimed; they are due again when the lease ends. */
export async function claimDue(pool: pg.Pool, schema: string): Promise<BusEvent[]> {
  const { rows } = await pool.query<DueRow>({
    name: `claim-${schema}`,
    text: `WITH due AS (
        SELECT application_id, id FROM ${schema}.outbox
        WHERE published_at IS NULL AND coalesce(locked_until, '-infinity') <= now()
        ORDER BY coalesce(locked_until, '-infinity') LIMIT ${claimMax} FOR UPDATE SKIP LOCKED)
      UPDATE ${schema}.outbox AS o SET locked_until = now() + ${lease} FROM due
      WHERE o.application_id = due.application_id AND o.id = due.id
      RETURNING o.id, o.application_id, o.org_id, o.type, o.subject, o.payload, o.traceparent`,
  });
  return rows.map(({ application_id, org_id, ...row }) => ({ ...row, applicationId: application_id, orgId: org_id }));
}

/**
 * Records outcomes in one statement; what another relay published meanwhile stays published. Rows are found by key alone:
 * with a condition on published_at PostgreSQL reads all pending rows when it believes them few.
 */
export async function recordOutcomes(
  pool: pg.Pool,
  schema: string,
  outcomes: readonly PublishOutcome[],
): Promise<void> {
  await pool.query({
    name: `mark-${schema}`,
    text: `UPDATE ${schema}.outbox AS o SET publish_attempts = publish_attempts + 1, last_error = m.error,
        published_at = coalesce(o.published_at, CASE WHEN m.error IS NULL THEN now() END),
        locked_until = CASE WHEN m.error IS NOT NULL AND o.published_at IS NULL THEN now() + ${backoff} END
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS m (application_id, id, error)
      WHERE o.application_id = m.application_id AND o.id = m.id`,
    values: [
      outcomes.map(({ applicationId }) => applicationId),
      outcomes.map(({ id }) => id),
      outcomes.map(({ error }) => error),
    ],
  });
}

/** Deletes events that were published long enough ago. */
export async function pruneOutbox(pool: pg.Pool, schema: string): Promise<void> {
  const before = "now() - interval '14 days'";
  const key = ["application_id", "id"];
  await prune(pool, { table: `${schema}.outbox`, key, age: "published_at", before, skipLocked: true });
}
