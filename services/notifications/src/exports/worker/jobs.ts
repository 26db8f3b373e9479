// Queue of exports: one job for each dataset of an application, due when a period can be exported.

import { defineQueue, type QueueJobs } from "@ems/kit/db/queue";
import type { ErrorCause, ExportJobRow } from "../entity.ts";

type Read = Pick<
  ExportJobRow,
  "orgId" | "periodStart" | "periodEnd" | "part" | "pageCursor" | "rowCount" | "byteCount" | "attempts"
>;

export type ExportJobs = QueueJobs<Read, "dataset">;
/** A job whose lease this process holds. */
export type ClaimedExport = Awaited<ReturnType<ExportJobs["claim"]>>[number];

export const exportQueue = defineQueue<Read, "dataset">({
  name: "notifications.exports",
  table: "notifications.export_job",
  key: { dataset: "text" },
  columns: ["orgId", "periodStart", "periodEnd", "part", "pageCursor", "rowCount", "byteCount", "attempts"],
  onClaim: "attempts = attempts + 1",
  attempts: "attempts",
  fairness: "applications",
  lateMs: 900_000,
});

/** Numbers of a period's objects so far. */
export interface Totals {
  readonly objects: number;
  readonly rows: number;
  readonly bytes: number;
}

const succeeded = "attempts = 0, leased_until = NULL, error_cause = NULL, error_message = NULL";

/** Records an object of a period that has more; the next one is due at once. */
export async function finishPart(
  jobs: ExportJobs,
  job: ClaimedExport,
  totals: Totals,
  { next, now }: { readonly next: string; readonly now: Date },
): Promise<void> {
  const set = `part = j.part + 1, page_cursor = v.c1, row_count = v.c2, byte_count = v.c3, next_attempt_at = v.c4,
    last_run_at = v.c4, ${succeeded}`;
  const values = [
    { type: "text", of: [next] },
    { type: "bigint", of: [totals.rows] },
    { type: "bigint", of: [totals.bytes] },
    { type: "timestamptz", of: [now] },
  ];
  await jobs.change("finish-part", [job], set, values);
}

/** Records that a period is exported; the next one ends at `end`, and is due at `dueAt`. */
export async function finishPeriod(
  jobs: ExportJobs,
  job: ClaimedExport,
  totals: Totals,
  { end, dueAt, now }: { readonly end: Date; readonly dueAt: Date; readonly now: Date },
): Promise<void> {
  const set = `exported_start = j.period_start, exported_objects = v.c1, exported_rows = v.c2, exported_bytes = v.c3,
    period_start = j.period_end, period_end = v.c4, next_attempt_at = v.c5, last_run_at = v.c6, part = 1,
    page_cursor = NULL, row_count = 0, byte_count = 0, ${succeeded}`;
  const values = [
    { type: "integer", of: [totals.objects] },
    { type: "bigint", of: [totals.rows] },
    { type: "bigint", of: [totals.bytes] },
    { type: "timestamptz", of: [end] },
    { type: "timestamptz", of: [dueAt] },
    { type: "timestamptz", of: [now] },
  ];
  await jobs.change("finish-period", [job], set, values);
}

/** Ends a job's lease without an outcome: it is due again at `dueAt`. */
export async function postpone(jobs: ExportJobs, job: ClaimedExport, dueAt: Date): Promise<void> {
  const set = "next_attempt_at = v.c1, leased_until = NULL";
  await jobs.change("postpone", [job], set, [{ type: "timestamptz", of: [dueAt] }]);
}

/** Postpones a period whose rows are still in progress. That is no attempt. */
export async function waitForRows(jobs: ExportJobs, job: ClaimedExport, dueAt: Date): Promise<void> {
  const set = "next_attempt_at = v.c1, leased_until = NULL, attempts = j.attempts - 1";
  await jobs.change("wait-for-rows", [job], set, [{ type: "timestamptz", of: [dueAt] }]);
}

/** Records a failed attempt; without `dueAt`, the export stops. */
export async function fail(
  jobs: ExportJobs,
  job: ClaimedExport,
  { reason, message }: { readonly reason: ErrorCause; readonly message: string },
  { now, dueAt }: { readonly now: Date; readonly dueAt: Date | null },
): Promise<void> {
  const set = `next_attempt_at = v.c1, last_run_at = v.c4, leased_until = NULL, error_cause = v.c2,
    error_message = v.c3`;
  const values = [
    { type: "timestamptz", of: [dueAt] },
    { type: "text", of: [reason] },
    { type: "text", of: [message] },
    { type: "timestamptz", of: [now] },
  ];
  await jobs.change("fail", [job], set, values);
}
