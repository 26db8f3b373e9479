import { jsonb, nullable, type Row, table, text, timestamp, typedText, uuid } from "@ems/kit/db/table";

/**
 * A row of the audit log views that services publish; all of these views have the same columns (kit's audit-schema.ts).
 */
export const AuditLogEntity = table("reporting.audit_v1", {
  applicationId: uuid,
  id: uuid,
  orgId: text,
  createdAt: timestamp,
  resource: text,
  entityId: text,
  action: typedText<"CREATED" | "UPDATED" | "DELETED">(),
  operation: text,
  keyId: nullable(text),
  caller: nullable(text),
  userId: text,
  requestId: text,
  /** Old and new values by column. */
  changes: jsonb<Readonly<Record<string, LoggedChange>>>(),
});

export interface LoggedChange {
  readonly before?: unknown;
  readonly after?: unknown;
  readonly secret?: true;
}

export type AuditLogRow = Row<typeof AuditLogEntity>;
