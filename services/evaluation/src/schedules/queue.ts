import { defineQueue } from "@ems/kit/db/queue";
import type { TaskScheduleRow } from "./entity.ts";

export interface DueSchedule extends Pick<TaskScheduleRow, "applicationId" | "orgId" | "taskId" | "cron" | "timezone"> {
  /** Time that is due; if several were missed, the first one. */
  readonly nextRunAt: Date;
}

export const scheduleQueue = defineQueue<Omit<DueSchedule, "applicationId" | "taskId">, "taskId">({
  name: "evaluation.schedules",
  table: "evaluation.task_schedule",
  key: { taskId: "uuid" },
  due: "next_run_at",
  lease: "leased_until",
  since: "next_run_at",
  columns: ["orgId", "cron", "timezone", "nextRunAt"],
  fairness: "oldest",
});
