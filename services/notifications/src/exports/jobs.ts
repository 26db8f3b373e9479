import type { Transaction } from "@ems/kit/db/transaction";
import { type Dataset, ExportJobEntity, type ExportJobRow, type ExportSettingRow } from "./entity.ts";
import { endOfPeriod, startOfHour } from "./worker/periods.ts";

interface JobContext {
  /** The settings until now; null if they are new. */
  readonly before: ExportSettingRow | null;
  readonly now: Date;
  /** Time from the end of a period to its export. */
  readonly delayMs: number;
}

const dataColumns = ["periodEnd", "part", "pageCursor", "rowCount", "byteCount", "nextAttemptAt"] as const;
const endColumns = ["leasedUntil", "attempts", "errorCause", "errorMessage"] as const;
const replace = { key: ["applicationId", "dataset"], update: [...dataColumns, ...endColumns] } as const;

/** Schedules the exports of the settings' datasets, and deletes those of other datasets. */
export async function setJobs(tx: Transaction, settings: ExportSettingRow, context: JobContext) {
  const { applicationId, datasets } = settings;
  const found = await tx.find(ExportJobEntity, { applicationId }, { lock: "UPDATE" });
  const jobs = datasets.map((dataset) => {
    const job = found.find((each) => each.dataset === dataset) ?? newJob(settings, dataset, context.now);
    return schedule(job, settings, context);
  });
  await tx.query("DELETE FROM notifications.export_job WHERE application_id = $1 AND dataset <> ALL ($2)", [
    applicationId,
    datasets,
  ]);
  await tx.insert(ExportJobEntity, jobs, replace);
  return jobs;
}

function newJob({ applicationId, orgId, period }: ExportSettingRow, dataset: Dataset, now: Date): ExportJobRow {
  const periodStart = startOfHour(now);
  return {
    applicationId,
    dataset,
    orgId,
    periodStart,
    periodEnd: endOfPeriod(periodStart, period),
    part: 1,
    pageCursor: null,
    rowCount: "0",
    byteCount: "0",
    nextAttemptAt: null,
    leasedUntil: null,
    attempts: 0,
    lastRunAt: null,
    exportedStart: null,
    exportedObjects: 0,
    exportedRows: "0",
    exportedBytes: "0",
    errorCause: null,
    errorMessage: null,
  };
}

/** Makes a job follow the settings. A period that was begun continues, but begins again at a new destination. */
function schedule(job: ExportJobRow, settings: ExportSettingRow, { before, now, delayMs }: JobContext): ExportJobRow {
  const isMoved = before !== null && destination(before) !== destination(settings);
  const begun = isMoved ? { part: 1, pageCursor: null, rowCount: "0", byteCount: "0", attempts: 0 } : {};
  const next = { ...job, attempts: Math.min(job.attempts, 1), ...begun };
  const isBegun = next.part > 1 || next.attempts > 0;
  const periodEnd = isBegun ? next.periodEnd : endOfPeriod(next.periodStart, settings.period);
  // Without its lease, a process that works on the job records nothing; the job is due after that process's limit.
  const leaseEndMs = job.leasedUntil?.getTime() ?? 0;
  const dueMs = Math.max(now.getTime(), periodEnd.getTime() + delayMs, leaseEndMs);
  const nextAttemptAt = settings.enabled ? new Date(dueMs) : null;
  return { ...next, periodEnd, nextAttemptAt, leasedUntil: null, errorCause: null, errorMessage: null };
}

const destination = ({ endpoint, bucket, prefix, pathStyle }: ExportSettingRow) =>
  JSON.stringify([endpoint, bucket, prefix, pathStyle]);

const restart = `UPDATE notifications.export_job j
  SET next_attempt_at = greatest($3, j.period_end + $2 * interval '1 ms'), attempts = least(j.attempts, 1)
  FROM notifications.export_setting s
  WHERE j.application_id = $1 AND s.application_id = j.application_id AND s.enabled
    AND (j.next_attempt_at IS NULL OR j.error_cause IS NOT NULL AND j.leased_until IS NULL)`;

/** Makes exports due that stopped or wait after an error. */
export function restartJobs(tx: Transaction, applicationId: string, delayMs: number, now: Date): void {
  tx.defer(restart, [applicationId, delayMs, now]);
}
