import { nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type TaskScheduleRow = Row<typeof TaskScheduleEntity>;

export const TaskScheduleEntity = table(
  "evaluation.task_schedule",
  {
    applicationId: uuid,
    taskId: uuid,
    orgId: text,
    cron: text,
    timezone: text,
    criticality: oneOf("LOW", "MEDIUM", "HIGH"),
    lastRunAt: nullable(timestamp),
    nextRunAt: nullable(timestamp),
    /** End of the lease of a process that is starting the run that is due. */
    leasedUntil: nullable(timestamp),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    primaryKey: ["applicationId", "taskId"],
    indices: [{ name: "task_schedule_due", columns: ["nextRunAt"] }],
  },
);

/** The version does not change when a run starts. */
export const scheduleVersions = rowVersions(TaskScheduleEntity, { except: ["lastRunAt", "nextRunAt", "leasedUntil"] });
