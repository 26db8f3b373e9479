import type { Clock } from "@ems/kit/clock";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { DeadLetter } from "@ems/kit/events/bus";
import type { NewId } from "@ems/kit/id";
import type { Logger } from "@ems/kit/log";
import { prune } from "@ems/kit/prune";

export interface DeadLetterDeps {
  readonly relayDatabase: RelayDatabase;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Logger;
}

/** Stands for the application of messages that name none. */
const noApplication = "00000000-0000-0000-0000-000000000000";

export async function storeDeadLetter(
  { relayDatabase, clock, newId, log }: DeadLetterDeps,
  { applicationId = noApplication, id = newId(), subject, headers, payload, reason }: DeadLetter,
): Promise<void> {
  await relayDatabase.change({
    text: `INSERT INTO notifications.dead_event (application_id, id, subject, headers, payload, reason, buried_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
    values: [applicationId, id, withoutNul(subject), withoutNul(JSON.stringify(headers)), payload, reason, clock.now()],
  });
  log.error({ applicationId, event: id, reason }, "a message that is not an event was stored as a dead letter");
}

/** Same as the retention of the inbox: after that, a retry could handle an event a second time. */
const retentionMs = 30 * 24 * 60 * 60_000;

export async function pruneDeadLetters({ relayDatabase, clock, log }: Omit<DeadLetterDeps, "newId">): Promise<void> {
  const before = new Date(clock.now().getTime() - retentionMs);
  const key = ["application_id", "id"];
  const events = await prune(relayDatabase, { table: "notifications.dead_event", key, age: "buried_at", before });
  if (events > 0) log.warn({ events }, "dead letters older than 30 days were deleted");
}

/** Removes NUL characters, which PostgreSQL does not allow in text. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\u{fffd}").replaceAll("\\u0000", "\\ufffd");
}
