import { type Mount, mount } from "@ems/kit/rpc/service";
import { ScheduleService } from "@ems/proto/evaluation/v1/schedule_service";
import type { Deps } from "../deps.ts";
import { deleteTaskSchedule } from "./delete-task-schedule.ts";
import { getTaskSchedule } from "./get-task-schedule.ts";
import { putTaskSchedule } from "./put-task-schedule.ts";

export { TaskScheduleEntity } from "./entity.ts";
export { startScheduler } from "./scheduler.ts";

export const schedules = (deps: Deps): Mount =>
  mount(ScheduleService, {
    getTaskSchedule: getTaskSchedule(deps),
    putTaskSchedule: putTaskSchedule(deps),
    deleteTaskSchedule: deleteTaskSchedule(deps),
  });
