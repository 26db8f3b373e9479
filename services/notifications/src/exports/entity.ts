import {
  bigint,
  boolean,
  type Column,
  integer,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  texts,
  timestamp,
  typedText,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import { rowVersions, versions } from "@ems/kit/db/version";

export type Dataset = "TRACES" | "TESTS";
export type Period = "HOURLY" | "DAILY";
export type ErrorCause =
  | "ADDRESS_REFUSED"
  | "UNREACHABLE"
  | "CERTIFICATE"
  | "CREDENTIALS_REFUSED"
  | "CLOCK_SKEW"
  | "BUCKET_MISSING"
  | "WRONG_REGION"
  | "PERMISSION_MISSING"
  | "STORAGE_ERROR"
  | "BAD_ANSWER"
  | "INTERNAL";

export type ExportSettingRow = Row<typeof ExportSettingEntity>;

/** Settings of an application's scheduled exports. */
export const ExportSettingEntity = table(
  "notifications.export_setting",
  {
    applicationId: uuid,
    orgId: text,
    endpoint: text,
    region: text,
    bucket: text,
    prefix: nullable(text),
    pathStyle: boolean,
    accessKeyId: text,
    /** Encrypted secret access key. */
    secret: text,
    datasets: texts as Column<Dataset[]>,
    format: oneOf("JSONL_GZIP"),
    period: oneOf("HOURLY", "DAILY"),
    enabled: boolean,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  { primaryKey: ["applicationId"] },
);

const rows = rowVersions(ExportSettingEntity);

/** Computes the ETag of the settings; an application without a row has the first version. */
export const exportSettingVersions = versions<{
  readonly applicationId: string;
  readonly row: ExportSettingRow | null;
}>(({ applicationId, row }) => [applicationId, row === null ? "" : rows.etag(row)]);

export type ExportJobRow = Row<typeof ExportJobEntity>;

/** State of the export of one dataset of an application. Everything before `periodStart` is exported. */
export const ExportJobEntity = table(
  "notifications.export_job",
  {
    applicationId: uuid,
    dataset: oneOf("TRACES", "TESTS"),
    orgId: text,
    /** Start and end of the period to export next, of which the end is not part. */
    periodStart: timestamp,
    periodEnd: timestamp,
    /** Number of the next object, and the cursor of the page with which it begins. */
    part: withDefault(integer, 1),
    pageCursor: nullable(text),
    /** Rows and bytes of the period's objects so far. */
    rowCount: withDefault(bigint, "0"),
    byteCount: withDefault(bigint, "0"),
    /** Null while the export is disabled or stopped. */
    nextAttemptAt: nullable(timestamp),
    leasedUntil: nullable(timestamp),
    /** Number of attempts at the next object. */
    attempts: withDefault(integer, 0),
    lastRunAt: nullable(timestamp),
    /** Start of the last exported period, which ends at `periodStart`, and its numbers. */
    exportedStart: nullable(timestamp),
    exportedObjects: withDefault(integer, 0),
    exportedRows: withDefault(bigint, "0"),
    exportedBytes: withDefault(bigint, "0"),
    errorCause: nullable(typedText<ErrorCause>()),
    errorMessage: nullable(text),
  },
  {
    primaryKey: ["applicationId", "dataset"],
    indices: [
      {
        name: "export_job_due",
        columns: ["applicationId", "nextAttemptAt"],
        where: "(next_attempt_at IS NOT NULL)",
      },
    ],
  },
);
