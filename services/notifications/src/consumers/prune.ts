import type { Clock } from "@ems/kit/clock";
import type pg from "pg";

/** Longer than an event stays in an outbox after publishing: none comes again after that. */
const keptForMs = 30 * 24 * 60 * 60_000;
const deleteMax = 5_000;

/** Forgets events that came long ago. */
export async function pruneInbox(pool: pg.Pool, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - keptForMs);
  const text = `DELETE FROM notifications.inbox WHERE (application_id, event_id) IN (
    SELECT application_id, event_id FROM notifications.inbox WHERE received_at < $1
    ORDER BY received_at LIMIT ${deleteMax})`;
  for (let deleted = deleteMax; deleted === deleteMax; ) deleted = (await pool.query(text, [before])).rowCount ?? 0;
}
