import { buildSelectList } from "@ems/kit/db/columns";
import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ScheduleService } from "@ems/proto/evaluation/v1/schedule_service";
import type { Deps } from "../deps.ts";
import { scheduleVersions, TaskScheduleEntity, type TaskScheduleRow } from "./entity.ts";
import { findTask } from "./find-task.ts";
import { taskSchedule } from "./messages.ts";

const ofTask = `SELECT ${buildSelectList(TaskScheduleEntity, "schedule")} FROM evaluation.task_schedule schedule
  WHERE schedule.application_id = $1 AND schedule.task_id = $2`;

export function getTaskSchedule({ database, references }: Deps): Handlers<typeof ScheduleService>["getTaskSchedule"] {
  return async ({ id }, call) => {
    const read = { name: "task-schedule", text: ofTask, values: [call.tenant.applicationId, id] };
    const [row] = await database.read<TaskScheduleRow>(call, read);
    if (row === undefined) throw notFound("Schedule");
    scheduleVersions.answer(call, row);
    return taskSchedule(row, await findTask({ references }, call, id));
  };
}
