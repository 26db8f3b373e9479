import { table, timestamp, uuid } from "@ems/kit/db/table";

/** IDs of handled events. */
export const InboxEntity = table(
  "notifications.inbox",
  { applicationId: uuid, eventId: uuid, receivedAt: timestamp },
  { primaryKey: ["applicationId", "eventId"], indices: [{ name: "inbox_received", columns: ["receivedAt"] }] },
);
