import { json, nullable, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { versions } from "@ems/kit/db/version";
import type { BuiltInName } from "@ems/kit/redaction";
import type { StoredNoiseRule } from "./noise.ts";

/** A stored redaction rule, with exactly one of `pattern` and `builtIn`. */
export interface StoredRedaction {
  readonly name: string;
  readonly pattern?: string;
  readonly builtIn?: BuiltInName;
  readonly replacement: string;
  readonly enabled: boolean;
}

/** Paths to texts and ids of traces, by the setting. */
export type StoredPaths = Readonly<Partial<Record<"question" | "answer" | "context" | "session" | "user", string>>>;

export type IngestSettingRow = Row<typeof IngestSettingEntity>;

/** Rules for data that an application sends. */
export const IngestSettingEntity = table(
  "traces.ingest_setting",
  {
    applicationId: uuid,
    orgId: text,
    redactions: json<readonly StoredRedaction[]>(),
    /** Paths by field; null for none. */
    paths: nullable(json<StoredPaths>()),
    noise: nullable(json<readonly StoredNoiseRule[]>()),
    modifiedAt: timestamp,
  },
  { primaryKey: ["applicationId"] },
);

export type StoredSettings = Pick<IngestSettingRow, "redactions" | "paths" | "noise" | "modifiedAt">;

/** Computes the ETag of the settings; an application without a row has the first version. */
export const ingestSettingVersions = versions<{
  readonly applicationId: string;
  readonly row: StoredSettings | null | undefined;
}>(({ applicationId, row }) => [
  applicationId,
  row?.redactions,
  row?.modifiedAt,
  // Without null, so that settings of earlier versions keep their ETag.
  ...[row?.paths, row?.noise].filter((rules) => rules !== null && rules !== undefined),
]);
