import { bigint, bytes, integer, table, text, timestamp, uuid } from "@ems/kit/db/table";

/** Position of the last event of each application. */
export const EventPositionEntity = table(
  "notifications.event_position",
  { applicationId: uuid, position: bigint },
  { primaryKey: ["applicationId"] },
);

/** Events of the last days, with one partition per day. */
export const EventLogEntity = table(
  "notifications.event_log",
  { applicationId: uuid, position: bigint, slot: integer, type: text, recordedAt: timestamp, message: bytes },
  { primaryKey: ["applicationId", "position", "slot"] },
);
