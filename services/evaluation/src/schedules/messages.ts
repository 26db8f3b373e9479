import { messageOf } from "@ems/kit/message";
import { GetTaskScheduleResponseSchema } from "@ems/proto/evaluation/v1/schedule_service";
import type { TaskScheduleRow } from "./entity.ts";

/** The fields of both answers that have a schedule. */
export const taskSchedule = (row: TaskScheduleRow) => {
  const { $typeName: _, ...fields } = messageOf(GetTaskScheduleResponseSchema, row);
  return fields;
};
