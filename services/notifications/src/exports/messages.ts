import { buildMessage } from "@ems/kit/message";
import {
  ExportDataset,
  ExportErrorSchema,
  ExportedPeriodSchema,
  ExportSettingsSchema,
  ExportStateSchema,
} from "@ems/proto/notifications/v1/export_settings_service";
import type { ExportJobRow, ExportSettingRow } from "./entity.ts";

/** Builds the API's export settings, without the secret key. */
export function exportSettings({ secret: _, ...row }: ExportSettingRow, jobs: readonly ExportJobRow[]) {
  const exports = jobs.toSorted((a, b) => ExportDataset[a.dataset] - ExportDataset[b.dataset]).map(exportState);
  const datasets = row.datasets.map((dataset) => ExportDataset[dataset]);
  return buildMessage(ExportSettingsSchema, { ...row, datasets, interval: row.period, exports });
}

function exportState(job: ExportJobRow) {
  return buildMessage(ExportStateSchema, {
    dataset: job.dataset,
    exportedUntil: job.periodStart,
    lastRunAt: job.lastRunAt,
    nextRunAt: job.nextAttemptAt,
    lastExport: job.exportedStart === null ? null : exportedPeriod(job, job.exportedStart),
    error: job.errorCause === null ? null : exportError(job, job.errorCause),
  });
}

const exportedPeriod = (job: ExportJobRow, startDate: Date) =>
  buildMessage(ExportedPeriodSchema, {
    startDate,
    endDate: job.periodStart,
    objects: job.exportedObjects,
    rows: BigInt(job.exportedRows),
    bytes: BigInt(job.exportedBytes),
  });

const exportError = (job: ExportJobRow, cause: string) =>
  buildMessage(ExportErrorSchema, {
    cause,
    message: job.errorMessage ?? "",
    at: job.lastRunAt,
    attempts: job.attempts,
  });
