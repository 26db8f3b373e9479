import { json, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { versions } from "@ems/kit/db/version";
import type { BuiltInName } from "@ems/kit/redaction";

/** A stored redaction rule, with exactly one of `pattern` and `builtIn`. */
export interface StoredRedaction {
  readonly name: string;
  readonly pattern?: string;
  readonly builtIn?: BuiltInName;
  readonly replacement: string;
  readonly enabled: boolean;
}

export type IngestSettingRow = Row<typeof IngestSettingEntity>;

/** Redaction rules for data that an application sends. */
export const IngestSettingEntity = table(
  "traces.ingest_setting",
  {
    applicationId: uuid,
    orgId: text,
    redactions: json<readonly StoredRedaction[]>(),
    modifiedAt: timestamp,
  },
  { primaryKey: ["applicationId"] },
);

/** Computes the ETag of the settings; an application without a row has the first version. */
export const ingestSettingVersions = versions<{
  readonly applicationId: string;
  readonly row: Pick<IngestSettingRow, "redactions" | "modifiedAt"> | null | undefined;
}>(({ applicationId, row }) => [applicationId, row?.redactions, row?.modifiedAt]);
