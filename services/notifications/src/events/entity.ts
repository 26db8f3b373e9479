import { table, timestamp, uuid } from "@ems/kit/db/table";

/** The ids of handled events. */
export const InboxEntity = table(
  "notifications.inbox",
  { applicationId: uuid, eventId: uuid, receivedAt: timestamp },
  { primaryKey: ["applicationId", "eventId"], indices: [{ name: "inbox_received", columns: ["receivedAt"] }] },
);
