import { buildMessage } from "@ems/kit/message";
import { GetTaskScheduleResponseSchema } from "@ems/proto/evaluation/v1/schedule_service";
import type { TaskScheduleRow } from "./entity.ts";

/** Builds the fields that both responses with a schedule have. The schedule of an archived task is inactive. */
export const taskSchedule = (row: TaskScheduleRow, { isArchived }: { readonly isArchived: boolean }) => {
  const current = isArchived ? { ...row, nextRunAt: null } : row;
  const { $typeName: _, ...fields } = buildMessage(GetTaskScheduleResponseSchema, current);
  return fields;
};
