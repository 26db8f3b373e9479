// Exports the periods that are due: one object for each claim of a job, so that applications take turns.

import type { BackgroundLoop } from "@ems/kit/background";
import type { Clock } from "@ems/kit/clock";
import { buildSelectList } from "@ems/kit/db/columns";
import { startPool } from "@ems/kit/db/queue";
import type { RelayDatabase } from "@ems/kit/db/relay-database";
import { retryTransient } from "@ems/kit/db/retry";
import type { Logger } from "@ems/kit/log";
import { exportPartBytesMax } from "@ems/proto/limits";
import type { SecretBox } from "../../secret-box.ts";
import { BucketFault, openBucket } from "../bucket/index.ts";
import { type Dataset, ExportSettingEntity, type ExportSettingRow } from "../entity.ts";
import { openSecret } from "../secrets.ts";
import type { ExportConfig, Storage } from "../settings.ts";
import { type Collected, collect } from "./collect.ts";
import {
  type ClaimedExport,
  type ExportJobs,
  exportQueue,
  fail,
  finishPart,
  finishPeriod,
  postpone,
  waitForRows,
} from "./jobs.ts";
import { endOfPeriod, objectName } from "./periods.ts";
import { waitMs } from "./retry.ts";
import type { ExportSource } from "./source.ts";

export interface ExporterDeps {
  readonly relayDatabase: RelayDatabase;
  readonly secrets: SecretBox;
  readonly storage: Pick<Storage, "http">;
  readonly source: ExportSource;
  readonly clock: Clock;
  readonly log: Logger;
}

type ExporterConfig = Pick<ExportConfig, "EXPORT_CONCURRENCY" | "EXPORT_DELAY_MS" | "EXPORT_LEASE_MS">;

const everyMs = 5_000;
const minuteMs = 60_000;
/** Delay between checks whether all tests of a period are complete, and the longest wait for them. */
const incompleteMs = 10 * minuteMs;
const incompleteMaxMs = 24 * 60 * minuteMs;
/** Share of the lease within which an object is uploaded, and within which it is read. */
const leaseShare = 0.8;
const readingShare = 0.4;

const contentType = "application/gzip";

/** Starts the loop of exports. Safe to run in several processes. */
export function startExporter(config: ExporterConfig, deps: ExporterDeps): BackgroundLoop {
  const jobs = exportQueue.on(deps.relayDatabase);
  return startPool({
    name: "exporting",
    everyMs,
    runningMax: config.EXPORT_CONCURRENCY,
    // One object of an application at a time: others have their turn.
    perApplicationMax: 1,
    log: deps.log,
    claim: (query) => jobs.claim({ ...query, now: deps.clock.now(), leaseMs: config.EXPORT_LEASE_MS }),
    work: (job, stopping) => work(config, deps, jobs, job, stopping),
  });
}

async function work(
  config: ExporterConfig,
  deps: ExporterDeps,
  jobs: ExportJobs,
  job: ClaimedExport,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, log } = deps;
  // Ends before the lease, so that two processes never upload the same object at a time.
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(config.EXPORT_LEASE_MS * leaseShare)]);
  // Retries, because otherwise the object would be uploaded a second time if the database was briefly unavailable.
  const store = (change: () => Promise<void>) => retryTransient(change, { signal });
  try {
    const record = await exportObject(config, deps, job, signal);
    await store(() => record(jobs));
  } catch (error) {
    if (stopping.aborted) return postpone(jobs, job, clock.now());
    const fault = toFault(error);
    const delayMs = waitMs(job.attempts);
    const now = clock.now();
    const dueAt = delayMs === undefined ? null : new Date(now.getTime() + delayMs);
    const { applicationId, dataset, attempts } = job;
    const facts = { applicationId, dataset, attempts, cause: fault.reason, err: fault.cause };
    if (dueAt === null) log.error(facts, "an export stopped: its attempts are used up");
    else log.warn(facts, "an export failed and will be retried");
    await retryTransient(() => fail(jobs, job, fault, { now, dueAt }), { signal: stopping });
  }
}

type RecordOutcome = (jobs: ExportJobs) => Promise<void>;

/** Exports the next object of a job; returns the change that records it. */
async function exportObject(
  config: ExporterConfig,
  { relayDatabase, secrets, storage, source, clock }: ExporterDeps,
  job: ClaimedExport,
  signal: AbortSignal,
): Promise<RecordOutcome> {
  const destination = await readSettings(relayDatabase, job.applicationId);
  // Deleted since the claim, with its jobs.
  if (destination === undefined) return async () => undefined;
  // Safe cast: a constraint allows only datasets.
  const range = { ...job, dataset: job.dataset as Dataset };
  const now = clock.now();
  const isOverdue = now.getTime() - job.periodEnd.getTime() > incompleteMaxMs;
  if (job.part === 1 && !isOverdue && !(await source.isComplete(range, signal)))
    return (jobs) => waitForRows(jobs, job, new Date(now.getTime() + incompleteMs));
  const lateMs = performance.now() + config.EXPORT_LEASE_MS * readingShare;
  const collected = await collect({
    read: (after) => source.read(range, after, signal),
    after: job.pageCursor ?? undefined,
    bytesMax: exportPartBytesMax,
    isLate: () => performance.now() >= lateMs,
  });
  // An earlier attempt may have uploaded rows that were deleted since: then an empty object replaces them.
  const isUploaded = collected.rows > 0 || job.attempts > 1;
  if (isUploaded) {
    const bucket = openBucket(destination, openSecret(secrets, destination), { http: storage.http, clock });
    await bucket.put(objectName({ ...range, part: job.part }), collected.body, contentType, signal);
  }
  const totals = addTotals(job, collected, isUploaded);
  const { next } = collected;
  if (next !== undefined) return (jobs) => finishPart(jobs, job, totals, { next, now });
  const end = endOfPeriod(job.periodEnd, destination.period);
  const dueAt = new Date(end.getTime() + config.EXPORT_DELAY_MS);
  return (jobs) => finishPeriod(jobs, job, totals, { end, dueAt, now });
}

const settingsText = `SELECT ${buildSelectList(ExportSettingEntity, "s")} FROM notifications.export_setting s
  WHERE s.application_id = $1`;

async function readSettings(
  relayDatabase: RelayDatabase,
  applicationId: string,
): Promise<ExportSettingRow | undefined> {
  const statement = { name: "read-export-settings", text: settingsText, values: [applicationId] };
  const [row] = await relayDatabase.query<ExportSettingRow>(statement);
  return row;
}

function addTotals(job: ClaimedExport, { rows, body }: Collected, isUploaded: boolean) {
  return {
    objects: job.part - 1 + (isUploaded ? 1 : 0),
    rows: Number(job.rowCount) + rows,
    bytes: Number(job.byteCount) + (isUploaded ? body.length : 0),
  };
}

function toFault(error: unknown): BucketFault {
  if (error instanceof BucketFault) return error;
  return new BucketFault("INTERNAL", "This service could not read the data to export", { cause: error });
}
