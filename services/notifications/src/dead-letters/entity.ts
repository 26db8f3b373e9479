import { bytes, jsonb, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type DeadLetterRow = Row<typeof DeadLetterEntity>;

/** A message that came as an event and could not be handled; stored as it came. */
export const DeadLetterEntity = table("notifications.dead_event", {
  /** All zeros when the message names no application. */
  applicationId: uuid,
  /** The event's id; a new one when the message has none. */
  id: uuid,
  subject: text,
  headers: jsonb<Record<string, readonly string[]>>(),
  payload: bytes,
  reason: text,
  buriedAt: timestamp,
});
