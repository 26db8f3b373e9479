import { bigint, bytes, integer, table, text, timestamp, uuid } from "@ems/kit/db/table";

/** Position of each application's last event. */
export const EventPositionEntity = table(
  "notifications.event_position",
  { applicationId: uuid, position: bigint },
  { primaryKey: ["applicationId"] },
);

/** Events of the last days, partitioned by day. */
export const EventLogEntity = table(
  "notifications.event_log",
  { applicationId: uuid, position: bigint, slot: integer, type: text, recordedAt: timestamp, message: bytes },
  { primaryKey: ["applicationId", "position", "slot"] },
);
