// What a relay does with the rows of an outbox. Times are PostgreSQL's: relays on several machines have one clock.

import type pg from "pg";
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

/** What became of an event; no error means that it is published. */
export interface Marked {
  readonly applicationId: string;
  readonly id: string;
  readonly error: string | null;
}

/** How many events a relay has in hand at one time. */
export const claimMax = 100;
const lease = "interval '30 s'";
/** 0.2 s after the first failure, doubled with each, 30 s at most. */
const pause = "least(30, 0.2 * 2 ^ least(publish_attempts, 10)) * interval '1 s'";
const keptFor = "interval '14 days'";
const deleteMax = 5_000;

/** Takes events in hand that are due and that nobody has in hand; they are due again when the lease ends. */
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
 * Notes what became of events, all in one statement. What another relay published meanwhile stays published. The rows are
 * named by their keys alone: a condition on published_at would have PostgreSQL read all that wait, when it thinks they are few.
 */
export async function mark(pool: pg.Pool, schema: string, marked: readonly Marked[]): Promise<void> {
  await pool.query({
    name: `mark-${schema}`,
    text: `UPDATE ${schema}.outbox AS o SET publish_attempts = publish_attempts + 1, last_error = m.error,
        published_at = coalesce(o.published_at, CASE WHEN m.error IS NULL THEN now() END),
        locked_until = CASE WHEN m.error IS NOT NULL AND o.published_at IS NULL THEN now() + ${pause} END
      FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS m (application_id, id, error)
      WHERE o.application_id = m.application_id AND o.id = m.id`,
    values: [
      marked.map(({ applicationId }) => applicationId),
      marked.map(({ id }) => id),
      marked.map(({ error }) => error),
    ],
  });
}

/** Deletes what was published long ago. */
export async function deleteOld(pool: pg.Pool, schema: string): Promise<void> {
  const text = `DELETE FROM ${schema}.outbox WHERE (application_id, id) IN (
    SELECT application_id, id FROM ${schema}.outbox WHERE published_at < now() - ${keptFor}
    ORDER BY published_at LIMIT ${deleteMax} FOR UPDATE SKIP LOCKED)`;
  for (let deleted = deleteMax; deleted === deleteMax; ) deleted = (await pool.query(text)).rowCount ?? 0;
}
