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
 * Time after which other processes take over the schedules of a dead one, and after which a run that could not start
 * is retried.
 */
const leaseMs = 60_000;
const backoffMaxMs = 10_000;
const startTimeoutMs = 20_000;
const advanceTimeoutMs = 10_000;

/** Errors that a retry would not change: the task is archived or deleted. */
const refusals: ReadonlySet<Code> = new Set([Code.InvalidArgument, Code.NotFound, Code.FailedPrecondition]);

type SchedulerDeps = Pick<Deps, "database" | "relayDatabase" | "execution" | "log">;

/** Starts the due runs of schedules, concurrently with other processes. */
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

/** Returns whether the schedule was advanced. If not, its lease ends, and it is due again. */
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

/** Idempotent by the run's id. False if there is nothing to run. */
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

// A schedule that was replaced in the meantime already has its next time.
const advance = `UPDATE evaluation.task_schedule SET leased_until = NULL,
    last_run_at = CASE WHEN $7 THEN now() ELSE last_run_at END,
    next_run_at = CASE WHEN next_run_at = $3 AND cron = $4 AND timezone = $5 THEN $6::timestamptz ELSE next_run_at END
  WHERE application_id = $1 AND task_id = $2`;

/** Advances to the next time after now: the run that has started makes up for all missed times. */
export async function advanceSchedule(
  { database }: Pick<SchedulerDeps, "database">,
  schedule: DueSchedule,
  hasRun: boolean,
): Promise<void> {
  const { applicationId, taskId, cron, timezone, nextRunAt } = schedule;
  await database.withScope(schedule, monotonicMs() + advanceTimeoutMs, async (tx) => {
    const now = await databaseNow(tx);
    // A clock that is turned back repeats no time.
    const next = nextTime(cron, timezone, new Date(Math.max(now.getTime(), nextRunAt.getTime())));
    tx.defer(advance, [applicationId, taskId, nextRunAt, cron, timezone, next, hasRun]);
  });
}

/**
 * Derives the run's id from the task and the time of its schedule, so that each time has one run, whichever process
 * starts it.
 */
function getRunId(applicationId: string, taskId: string, time: Date): string {
  return idAt(time, `${applicationId} ${taskId}`);
}
