import type { JsonValue, MessageInitShape } from "@bufbuild/protobuf";
import { toValue } from "@ems/kit/json/free-value";
import { buildMessage } from "@ems/kit/message";
import { type AuditChangeSchema, AuditLogEntrySchema } from "@ems/proto/reporting/v1/audit_log_service";
import type { AuditLogRow, LoggedChange } from "./entity.ts";

export function auditLogEntry({ changes, ...row }: AuditLogRow): MessageInitShape<typeof AuditLogEntrySchema> {
  const fields = Object.entries(changes).sort(([a], [b]) => (a < b ? -1 : 1));
  return buildMessage(AuditLogEntrySchema, { ...row, changes: fields.map(auditChange) });
}

function auditChange([column, { before, after, secret }]: [string, LoggedChange]): MessageInitShape<
  typeof AuditChangeSchema
> {
  const field = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { field, ...loggedValue("before", before), ...loggedValue("after", after), isSecret: secret === true };
}

/** Converts a logged value, which is always valid because PostgreSQL created it from JSON. */
function loggedValue<Name extends string>(name: Name, value: unknown) {
  return value === undefined ? {} : { [name]: toValue(value as JsonValue) };
}
