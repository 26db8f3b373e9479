import { bytes, jsonb, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type DeadLetterRow = Row<typeof DeadLetterEntity>;

/** Dead letters: messages received as events that could not be handled, stored unchanged. */
export const DeadLetterEntity = table("notifications.dead_event", {
  /** All zeros if the message names no application. */
  applicationId: uuid,
  /** ID of the event; a new one if the message has none. */
  id: uuid,
  subject: text,
  headers: jsonb<Record<string, readonly string[]>>(),
  payload: bytes,
  reason: text,
  buriedAt: timestamp,
});
