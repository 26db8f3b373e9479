import { type BackgroundLoop, startLoop } from "@ems/kit/background";
import { monotonicMs } from "@ems/kit/clock";
import { Code, ConnectError } from "@ems/kit/errors";
import { idAt } from "@ems/kit/id";
import { createTenantContext } from "@ems/kit/rpc/call";
import { RunType } from "@ems/proto/experiments/v1/run";
import type { Deps } from "../deps.ts";
import { databaseNow } from "./database-now.ts";
import { type DueSchedule, scheduleQueue } from "./queue.ts";
import { nextTime } from "./times.ts";

const everyMs = 1_000;
const rowsMax = 20;
/**
 * Lease: after it, other processes take over the schedules of a process that died, and a run that could not start is
 * retried.
 */
const leaseMs = 60_000;
const backoffMaxMs = 10_000;
const startTimeoutMs = 20_000;
const advanceTimeoutMs = 10_000;

/** Codes of errors for which a retry is pointless: the task is archived or deleted. */
const refusals: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.NotFound, Code.FailedPrecondition]);

type SchedulerDeps = Pick<Deps, "database" | "relayDatabase" | "execution" | "log">;

/** Starts the loop that starts due runs of schedules. Safe to run in several processes. */
export function startScheduler(deps: SchedulerDeps): Pick<BackgroundLoop, "stop"> {
  return startLoop({
    name: "schedules",
    everyMs,
    backoffMaxMs,
    log: deps.log,
    work: async (signal) => {
      const due = await scheduleQueue.on(deps.relayDatabase).claim({ rowsMax, leaseMs });
      const outcomes = await Promise.all(due.map((schedule) => runOne(deps, schedule, signal)));
      if (outcomes.includes(false)) return "failed";
      return due.length > 0 ? "more" : "idle";
    },
  });
}

/** Starts the run of a schedule. Returns true if the schedule advanced; else it is due again when its lease ends. */
async function runOne(deps: SchedulerDeps, schedule: DueSchedule, signal: AbortSignal): Promise<boolean> {
  try {
    const hasRun = await start(deps, schedule, signal);
    await advanceSchedule(deps, schedule, hasRun);
    return true;
  } catch (error) {
    deps.log.error({ err: error, taskId: schedule.taskId }, "a scheduled run did not start, and will be tried again");
    return false;
  }
}

/** Starts the run; idempotent by the run's id. Returns false if there is nothing to run. */
async function start({ execution, log }: SchedulerDeps, schedule: DueSchedule, signal: AbortSignal): Promise<boolean> {
  const { applicationId, orgId, taskId, nextRunAt } = schedule;
  const request = { runId: getRunId(applicationId, taskId, nextRunAt), type: RunType.SCHEDULED, taskIds: [taskId] };
  const contextValues = createTenantContext({ applicationId, orgId, userId: "", isBackground: true });
  try {
    await execution.startRun(request, { contextValues, timeoutMs: startTimeoutMs, signal });
    return true;
  } catch (error) {
    const { code, rawMessage } = ConnectError.from(error);
    if (!refusals.has(code)) throw error;
    log.info({ taskId, reason: rawMessage }, "a schedule is inactive: its task cannot be tested");
    return false;
  }
}

// A schedule that was replaced during the start already has its next time, so it is not changed.
const advance = `UPDATE evaluation.task_schedule SET leased_until = NULL,
    last_run_at = CASE WHEN $7 THEN now() ELSE last_run_at END,
    next_run_at = CASE WHEN next_run_at = $3 AND cron = $4 AND timezone = $5 THEN $6::timestamptz ELSE next_run_at END
  WHERE application_id = $1 AND task_id = $2`;

/** Advances to the next time after now, because the run that has started makes up for all missed times. */
export async function advanceSchedule(
  { database }: Pick<SchedulerDeps, "database">,
  schedule: DueSchedule,
  hasRun: boolean,
): Promise<void> {
  const { applicationId, taskId, cron, timezone, nextRunAt } = schedule;
  await database.withScope(schedule, monotonicMs() + advanceTimeoutMs, async (tx) => {
    const now = await databaseNow(tx);
    // Uses the later time, so that a clock that is turned back does not repeat times.
    const next = nextTime(cron, timezone, new Date(Math.max(now.getTime(), nextRunAt.getTime())));
    tx.defer(advance, [applicationId, taskId, nextRunAt, cron, timezone, next, hasRun]);
  });
}

/**
 * Derives the run's id from the task and the scheduled time, so that each time has only one run, no matter which
 * process starts it.
 */
function getRunId(applicationId: string, taskId: string, time: Date): string {
  return idAt(time, `${applicationId} ${taskId}`);
}
