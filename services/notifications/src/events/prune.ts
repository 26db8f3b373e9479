import type { Clock } from "@ems/kit/clock";
import type { Logger } from "@ems/kit/log";
import type pg from "pg";

export interface PruneDeps {
  /** As the role that sees every application's rows. */
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Longer than an event stays in an outbox after publishing: none comes again after that. Who has not had a dead event taken
 * in until then does not miss it.
 */
const keptForMs = 30 * 24 * 60 * 60_000;
const deleteMax = 5_000;

/** Forgets events that came long ago. */
export async function pruneInbox({ pool, clock }: PruneDeps): Promise<void> {
  const text = `DELETE FROM notifications.inbox WHERE (application_id, event_id) IN (
    SELECT application_id, event_id FROM notifications.inbox WHERE received_at < $1
    ORDER BY received_at LIMIT ${deleteMax})`;
  await deleteBefore(pool, text, oldest(clock));
}

/** Forgets messages that were put aside long ago; unlike the rest they were of use to nobody, so it is said. */
export async function pruneDeadEvents({ pool, clock, log }: PruneDeps): Promise<void> {
  const text = `DELETE FROM notifications.dead_event WHERE (application_id, id) IN (
    SELECT application_id, id FROM notifications.dead_event WHERE buried_at < $1 LIMIT ${deleteMax})`;
  const events = await deleteBefore(pool, text, oldest(clock));
  if (events > 0) log.warn({ events }, "dead events that nobody had taken in for 30 days are forgotten");
}

const oldest = (clock: Clock) => new Date(clock.now().getTime() - keptForMs);

/** Runs `text` until it finds less than it may delete; answers how many rows went. */
async function deleteBefore(pool: pg.Pool, text: string, before: Date): Promise<number> {
  let [all, deleted] = [0, deleteMax];
  while (deleted === deleteMax) {
    deleted = (await pool.query(text, [before])).rowCount ?? 0;
    all += deleted;
  }
  return all;
}
