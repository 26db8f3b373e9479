import { binaryArray } from "@ems/kit/db/binary-array";
import { eventType } from "@ems/kit/events/event-type";
import type { HandleEvents } from "../events/index.ts";

/**
 * Gives each event the next position of its application. Locks applications in the order of their IDs, which prevents
 * deadlocks. Reads the time under the lock, so that times increase with positions.
 */
const record = `
  WITH counted AS (
    INSERT INTO notifications.event_position AS p (application_id, position)
    SELECT * FROM unnest($1::uuid[], $2::bigint[])
    ON CONFLICT (application_id) DO UPDATE SET position = p.position + excluded.position
    RETURNING p.application_id, p.position, clock_timestamp() AS at, notifications.event_slot(clock_timestamp()) AS slot)
  INSERT INTO notifications.event_log (application_id, position, slot, type, recorded_at, message)
  SELECT c.application_id, c.position - e.following, c.slot, e.type, c.at, e.message
  FROM unnest($3::uuid[], $4::integer[], $5::text[], $6::bytea[]) AS e (application_id, following, type, message)
  JOIN counted c ON c.application_id = e.application_id`;

/** Records public events in the log. Runs last and is sent with the commit, so that its locks are held only briefly. */
export const eventLogHandler: HandleEvents = async (tx, events) => {
  const published = events.filter(({ type }) => eventType(type)?.isInternal === false);
  if (published.length === 0) return;
  const byApplication = [...Map.groupBy(published, ({ applicationId }) => applicationId)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const rows = byApplication.flatMap(([, own]) =>
    own.map((event, index) => ({ ...event, following: own.length - 1 - index })),
  );
  const applications = <T>(type: string, of: (entry: (typeof byApplication)[number]) => T) =>
    binaryArray(type, byApplication.map(of));
  const each = <T>(type: string, of: (row: (typeof rows)[number]) => T) => binaryArray(type, rows.map(of));
  tx.defer({
    name: "record-events",
    text: record,
    values: [
      applications("uuid", ([applicationId]) => applicationId),
      applications("bigint", ([, own]) => String(own.length)),
      each("uuid", ({ applicationId }) => applicationId),
      each("integer", ({ following }) => following),
      each("text", ({ type }) => type),
      each("bytea", ({ message }) => Buffer.from(message.buffer, message.byteOffset, message.byteLength)),
    ],
  });
};
