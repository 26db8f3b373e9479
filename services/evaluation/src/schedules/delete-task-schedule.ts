import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { ScheduleService } from "@ems/proto/evaluation/v1/schedule_service";
import type { Deps } from "../deps.ts";
import { TaskScheduleEntity } from "./entity.ts";

export function deleteTaskSchedule({ database }: Deps): Handlers<typeof ScheduleService>["deleteTaskSchedule"] {
  return ({ id }, call) =>
    database.change(call, async (tx) => {
      const key = { applicationId: call.tenant.applicationId, taskId: id };
      if ((await tx.commit(tx.delete(TaskScheduleEntity, key))) === 0) throw notFound("Schedule");
      return {};
    });
}
