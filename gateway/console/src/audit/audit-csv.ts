// Formats the audit log as CSV like `ems audit export`, but with names of people and keys.

import { csvText, type Field } from "../ui/csv/csv.ts";
import type { AuditEntry } from "./audit-requests.ts";

type FindName = (id: string) => string | undefined;

export function auditCsv(entries: readonly AuditEntry[], userName: FindName, keyName: FindName): string {
  const fields: readonly Field<AuditEntry>[] = [
    { title: "Time (UTC)", cell: ({ createdAt }) => createdAt },
    { title: "Resource", cell: ({ resource }) => resource },
    { title: "Resource ID", cell: ({ entityId }) => entityId },
    { title: "Action", cell: ({ action }) => action },
    { title: "Operation", cell: ({ operation }) => operation },
    { title: "Person", cell: ({ userId }) => userName(userId) ?? null },
    { title: "Person ID", cell: ({ userId }) => userId },
    { title: "Key", cell: ({ keyId }) => (keyId === null ? null : (keyName(keyId) ?? null)) },
    { title: "Key ID", cell: ({ keyId }) => keyId },
    { title: "Caller", cell: ({ caller }) => caller },
    { title: "Request ID", cell: ({ requestId }) => requestId },
    { title: "Entry ID", cell: ({ id }) => id },
    { title: "Changes (JSON)", cell: ({ changes }) => JSON.stringify(changes) },
  ];
  return csvText(fields, entries);
}
