import { Person } from "../settings/person.tsx";
import { TagList } from "../tags/tag-list.tsx";
import { Status } from "../ui/badges.tsx";
import { count, words } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import type { Document } from "./document-requests.ts";

/** Returns the status of the active version. */
export const activeStatus = ({ versions, activeVersionNumber }: Document) =>
  versions.find(({ versionNumber }) => versionNumber === activeVersionNumber)?.status;

export const documentColumns: readonly Column<Document>[] = [
  {
    id: "title",
    label: "Title",
    isFixed: true,
    width: 260,
    orderBy: "title",
    cell: ({ id, title }) => (
      <RowLink to="/documents/$documentId" params={{ documentId: id }}>
        {title}
      </RowLink>
    ),
  },
  { id: "status", label: "Status", orderBy: "status", cell: (document) => <Status value={activeStatus(document)} /> },
  { id: "version", label: "Version", isNumber: true, cell: ({ activeVersionNumber }) => count(activeVersionNumber) },
  { id: "type", label: "Type", orderBy: "type", cell: ({ type }) => words(type) },
  { id: "tags", label: "Tags", cell: ({ tags }) => <TagList tags={tags} /> },
  timeColumn("modifiedAt", "Changed"),
  timeColumn("createdAt", "Created", { isOptional: true }),
  { id: "verified", label: "Verified", isOptional: true, cell: ({ isVerified }) => (isVerified ? "Yes" : "No") },
  { id: "assignee", label: "Assignee", isOptional: true, cell: ({ assignee }) => <Person id={assignee} /> },
  idColumn,
];
