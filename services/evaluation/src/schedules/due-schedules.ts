// Schedules whose time has come, claimed under a lease by any process.

import { isLeaseOver, leaseEnd } from "@ems/kit/db/lease";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import type { TaskScheduleRow } from "./entity.ts";

export interface DueSchedule extends Pick<TaskScheduleRow, "applicationId" | "orgId" | "taskId" | "cron" | "timezone"> {
  /** The time that is due; of several that were missed the first. */
  readonly dueAt: Date;
}

const claimMax = 20;
/** A process that dies leaves its schedules to the others after this time; a run that could not start is tried again. */
const lease = "interval '60 s'";

const claim = `
  WITH due AS (
    SELECT application_id, task_id FROM evaluation.task_schedule
    WHERE next_run_at <= now() AND ${isLeaseOver("leased_until", lease)}
    ORDER BY next_run_at LIMIT ${claimMax} FOR UPDATE SKIP LOCKED
  )
  UPDATE evaluation.task_schedule s SET leased_until = ${leaseEnd(lease)}
  FROM due WHERE s.application_id = due.application_id AND s.task_id = due.task_id
  RETURNING s.application_id AS "applicationId", s.org_id AS "orgId", s.task_id AS "taskId", s.cron, s.timezone,
    s.next_run_at AS "dueAt"`;

export function claimSchedules(relayDatabase: RelayDatabase): Promise<DueSchedule[]> {
  return relayDatabase.query<DueSchedule>({ name: "claim-task-schedules", text: claim });
}
