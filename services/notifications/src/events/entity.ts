import { EntitySchema } from "typeorm";

/** An event that came, so that it is not taken in twice. */
export interface InboxRow {
  applicationId: string;
  eventId: string;
  receivedAt: Date;
}

export const InboxEntity = new EntitySchema<InboxRow>({
  name: "Inbox",
  tableName: "inbox",
  schema: "notifications",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "inbox_pkey" },
    eventId: { type: "uuid", name: "event_id", primary: true, primaryKeyConstraintName: "inbox_pkey" },
    receivedAt: { type: "timestamptz", name: "received_at", precision: 3 },
  },
  indices: [{ name: "inbox_received", columns: ["receivedAt"] }],
});
