import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "@ems/kit/enum";
import { definedFields } from "@ems/kit/patch";
import type { BuiltInName } from "@ems/kit/redaction";
import {
  BuiltInPattern,
  BuiltInPatternSchema,
  type IngestSettingsSchema,
} from "@ems/proto/experiments/v1/ingest_settings_service";
import type { StoredSettings } from "./entity.ts";

/** Builds the message; an application without a row has no rules. */
export function ingestSettings(row: StoredSettings | null | undefined): MessageInitShape<typeof IngestSettingsSchema> {
  if (row == null) return {};
  const redactions = row.redactions.map(({ builtIn, pattern, ...redaction }) => ({
    ...redaction,
    ...definedFields({ pattern, builtIn: builtIn && BuiltInPattern[builtIn] }),
  }));
  return { redactions, ...row.paths, noise: [...(row.noise ?? [])], modifiedAt: timestampFromDate(row.modifiedAt) };
}

export function builtInName(pattern: BuiltInPattern | undefined): BuiltInName | undefined {
  return pattern === undefined ? undefined : enumName<BuiltInName>(BuiltInPatternSchema, pattern);
}
