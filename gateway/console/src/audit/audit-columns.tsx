import { Text } from "@mantine/core";
import { Person } from "../settings/person.tsx";
import { words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn } from "../ui/table/usual-columns.tsx";
import { Time } from "../ui/time.tsx";
import classes from "./audit.module.css";
import type { AuditEntry } from "./audit-requests.ts";
import { formatOperation, nameOfEntry } from "./entries.ts";
import { pageOfEntry } from "./resources.ts";

export type FindName = (id: string) => string | undefined;

const fieldsMax = 4;
/** Fields that every new resource has. The list of changes omits them. */
const omittedFields = ["id", "createdAt"];

export const auditColumns = (keyName: FindName): readonly Column<AuditEntry>[] => [
  {
    id: "createdAt",
    label: "Time",
    isFixed: true,
    width: 150,
    orderBy: "createdAt",
    cell: (entry) => <Time value={entry.createdAt} />,
  },
  { id: "action", label: "Action", width: 90, cell: ({ action }) => words(action) },
  { id: "resource", label: "Resource", isFixed: true, width: 290, cell: (entry) => <Resource entry={entry} /> },
  { id: "fields", label: "Fields", width: 200, cell: ({ changes }) => formatFields(changes) },
  { id: "by", label: "By", width: 200, cell: (entry) => <Author entry={entry} keyName={keyName} /> },
  { id: "operation", label: "Operation", isOptional: true, cell: (entry) => <code>{formatOperation(entry)}</code> },
  { id: "entityId", label: "Resource id", isOptional: true, cell: ({ entityId }) => <code>{entityId}</code> },
  { id: "requestId", label: "Request id", isOptional: true, cell: ({ requestId }) => <code>{requestId}</code> },
  idColumn,
];

function Resource({ entry }: { readonly entry: AuditEntry }) {
  const page = pageOfEntry(entry);
  const name = nameOfEntry(entry);
  const label = name ?? <code>{entry.entityId}</code>;
  return (
    <>
      <Text size="xs" c="dimmed">
        {words(entry.resource)}
      </Text>
      <span className={classes.name} title={name ?? entry.entityId}>
        {page === undefined ? (
          label
        ) : (
          <AnchorLink {...page} inherit fw={500}>
            {label}
          </AnchorLink>
        )}
      </span>
    </>
  );
}

function formatFields(changes: AuditEntry["changes"]): string {
  const names = changes.map(({ field }) => field).filter((name) => !omittedFields.includes(name));
  const more = names.length - fieldsMax;
  const label = names.slice(0, fieldsMax).join(", ");
  return more > 0 ? `${label} and ${more} more` : label;
}

interface AuthorProps {
  readonly entry: AuditEntry;
  readonly keyName: FindName;
}

/** Shows the person who made the change, with the API key or platform caller that sent the request. */
function Author({ entry: { userId, keyId, caller }, keyName }: AuthorProps) {
  const means = keyId !== null ? `with key ${keyName(keyId) ?? keyId}` : caller !== null ? `by ${caller}` : "signed in";
  return (
    <>
      <div className={classes.author}>
        <Person id={userId} />
      </div>
      <Text size="xs" c="dimmed" className={classes.author} title={means}>
        {means}
      </Text>
    </>
  );
}
