import { EntitySchema } from "typeorm";

/** A message that came as an event and could not be handled; kept as it came. */
export interface DeadEventRow {
  /** The application that the message names; all zeros when it names none. */
  applicationId: string;
  /** The event's id; a new one when the message has none. */
  id: string;
  subject: string;
  headers: Record<string, readonly string[]>;
  payload: Buffer;
  reason: string;
  buriedAt: Date;
}

export const DeadEventEntity = new EntitySchema<DeadEventRow>({
  name: "DeadEvent",
  tableName: "dead_event",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "dead_event_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "dead_event_pkey" },
    subject: { type: "text" },
    headers: { type: "jsonb" },
    payload: { type: "bytea" },
    reason: { type: "text" },
    buriedAt: { type: "timestamptz", name: "buried_at", precision: 3 },
  },
});
