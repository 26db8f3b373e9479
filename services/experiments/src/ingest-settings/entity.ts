import { json, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import type { BuiltInName } from "@ems/kit/redaction";

/** A rule as it is stored: exactly one of `pattern` and `builtIn`. */
export interface StoredRedaction {
  readonly name: string;
  readonly pattern?: string;
  readonly builtIn?: BuiltInName;
  readonly replacement: string;
  readonly enabled: boolean;
}

export type IngestSettingRow = Row<typeof IngestSettingEntity>;

/** What is redacted of what an application sends. */
export const IngestSettingEntity = table(
  "experiments.ingest_setting",
  {
    applicationId: uuid,
    orgId: text,
    redactions: json<readonly StoredRedaction[]>(),
    modifiedAt: timestamp,
  },
  { primaryKey: ["applicationId"] },
);
