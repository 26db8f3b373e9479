// Page with the application's audit log.

import type { FunctionComponent } from "react";
import { send } from "../api/send.ts";
import { useKeys } from "../settings/key-choices.ts";
import { useUsers } from "../settings/user-choices.ts";
import { createTopic } from "../topics/topic-requests.ts";
import { ExportButton } from "../ui/csv/export-button.tsx";
import { type Choice, choices } from "../ui/filters/choice-filter.tsx";
import { listPage } from "../ui/list-page.tsx";
import { auditColumns } from "./audit-columns.tsx";
import { auditCsv } from "./audit-csv.ts";
import { auditDetails } from "./audit-details.tsx";
import { exportedAuditLog, listAuditLog } from "./audit-requests.ts";
import { type AuditSearch, actions, auditUrl } from "./audit-search.ts";
import { resources } from "./resources.ts";

const nameIn = (named: readonly Choice<string>[]) => (id: string) => named.find(({ value }) => value === id)?.label;

const AuditPage: FunctionComponent = listPage({
  title: "Audit log",
  description: "Changes by people and API keys",
  url: auditUrl,
  list: listAuditLog,
  columns: () => auditColumns(nameIn(useKeys("", []).choices)),
  details: auditDetails,
  filters: [
    { text: "entityId", label: "Resource id" },
    { text: "requestId", label: "Request id" },
    "days",
    { some: "resource", label: "Resource", options: choices(resources) },
    { some: "action", label: "Action", options: choices(actions) },
    { one: "userId", label: "Person", options: useUsers },
    { one: "keyId", label: "Key", options: useKeys },
  ],
  actions: (_, search) => <Export search={search} />,
  empty: {
    title: "No changes yet",
    text: "Lists everything that people and API keys create, change or delete, with the values before and after.",
    request: createTopic({ title: "Opening an account" }),
  },
});
export default AuditPage;

function Export({ search }: { readonly search: AuditSearch }) {
  const [users, keys] = [useUsers("", []).choices, useKeys("", []).choices];
  const exported = async (_skip: number, after: string | undefined) => {
    const { data, pagination } = await send(exportedAuditLog(search, after));
    const toCsv = (entries: typeof data) => auditCsv(entries, nameIn(users), nameIn(keys));
    return { rows: data, total: pagination.total, nextCursor: pagination.nextCursor, toCsv };
  };
  return <ExportButton fileName="audit-log.csv" readPage={exported} instead="`ems audit export` has no such limit." />;
}
