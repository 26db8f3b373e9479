import { lockVersion } from "@ems/kit/db/version";
import { enumName } from "@ems/kit/enum";
import { type FieldViolation, invalidFields } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import { ScheduleCriticalitySchema } from "@ems/proto/catalog/v1/task_service";
import type { ScheduleService } from "@ems/proto/evaluation/v1/schedule_service";
import type { Deps } from "../deps.ts";
import { databaseNow } from "./database-now.ts";
import { scheduleVersions, TaskScheduleEntity, type TaskScheduleRow } from "./entity.ts";
import { findTask } from "./find-task.ts";
import { taskSchedule } from "./messages.ts";
import { apartMinutesMin, findCronFault, isTimezone, nextTime } from "./times.ts";

const faults = {
  pattern: "Not a cron pattern of five fields",
  never: "This pattern matches no time",
  too_close: `Times must be at least ${apartMinutesMin} minutes apart`,
} as const;

const replace = {
  key: ["applicationId", "taskId"],
  update: ["cron", "timezone", "criticality", "nextRunAt", "modifiedAt"],
} as const;

export function putTaskSchedule({
  database,
  clock,
  references,
}: Deps): Handlers<typeof ScheduleService>["putTaskSchedule"] {
  return async ({ id, cron, timezone = "UTC", criticality }, call) => {
    assertValid(cron, timezone);
    const find = () => findTask({ references }, call, id);
    return database.changeAfter(call, find, async (tx, task) => {
      const { applicationId, orgId } = call.tenant;
      const key = { applicationId, taskId: id.toLowerCase() };
      lockVersion(tx, "task_schedule", key.applicationId, key.taskId);
      const [before, now] = await Promise.all([
        tx.findOne(TaskScheduleEntity, key, { lock: "UPDATE" }),
        databaseNow(tx),
      ]);
      scheduleVersions.check(call, before);
      // If only other fields change, a time that is already due is kept.
      const isSame = before?.cron === cron && before.timezone === timezone;
      const row: TaskScheduleRow = {
        ...key,
        orgId,
        cron,
        timezone,
        criticality: enumName(ScheduleCriticalitySchema, criticality),
        lastRunAt: before?.lastRunAt ?? null,
        nextRunAt: isSame ? before.nextRunAt : nextTime(cron, timezone, now),
        leasedUntil: before?.leasedUntil ?? null,
        createdAt: before?.createdAt ?? clock.now(),
        modifiedAt: clock.now(),
      };
      await tx.insert(TaskScheduleEntity, row, replace);
      scheduleVersions.answer(call, row);
      return taskSchedule(row, task);
    });
  };
}

function assertValid(cron: string, timezone: string): void {
  const fault = findCronFault(cron);
  const violations: FieldViolation[] = [
    ...(fault === undefined ? [] : [{ path: ["cron"], message: faults[fault] }]),
    ...(isTimezone(timezone) ? [] : [{ path: ["timezone"], message: "Not an IANA time zone" }]),
  ];
  if (violations.length > 0) throw invalidFields(violations);
}
