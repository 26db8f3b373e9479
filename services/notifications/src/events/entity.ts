import { table, timestamp, uuid } from "@ems/kit/db/table";

/** IDs of events that were handled. */
export const InboxEntity = table(
  "notifications.inbox",
  { applicationId: uuid, eventId: uuid, receivedAt: timestamp },
  { primaryKey: ["applicationId", "eventId"], indices: [{ name: "inbox_received", columns: ["receivedAt"] }] },
);
