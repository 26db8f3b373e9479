import { bytes, jsonb, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type DeadLetterRow = Row<typeof DeadLetterEntity>;

/** Dead letters: messages that were received as events and could not be handled, stored unchanged. */
export const DeadLetterEntity = table("notifications.dead_event", {
  /** Application of the event; all zeros if the message names none. */
  applicationId: uuid,
  /** ID of the event; a new ID if the message has none. */
  id: uuid,
  subject: text,
  headers: jsonb<Record<string, readonly string[]>>(),
  payload: bytes,
  reason: text,
  buriedAt: timestamp,
});
