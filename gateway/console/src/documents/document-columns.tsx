import { Person } from "../settings/person.tsx";
import { TagList } from "../tags/tag-list.tsx";
import { Status } from "../ui/badges.tsx";
import { count, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { Time } from "../ui/time.tsx";
import type { Document } from "./document-requests.ts";

/** The status of the active version. */
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
      <AnchorLink to="/documents/$documentId" params={{ documentId: id }} inherit fw={500}>
        {title}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", orderBy: "status", cell: (document) => <Status value={activeStatus(document)} /> },
  { id: "version", label: "Version", isNumber: true, cell: ({ activeVersionNumber }) => count(activeVersionNumber) },
  { id: "type", label: "Type", orderBy: "type", cell: ({ type }) => words(type) },
  { id: "tags", label: "Tags", cell: ({ tags }) => <TagList tags={tags} /> },
  { id: "modifiedAt", label: "Changed", orderBy: "modifiedAt", cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
  {
    id: "createdAt",
    label: "Created",
    isOptional: true,
    orderBy: "createdAt",
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: "verified", label: "Verified", isOptional: true, cell: ({ isVerified }) => (isVerified ? "Yes" : "No") },
  { id: "assignee", label: "Assignee", isOptional: true, cell: ({ assignee }) => <Person id={assignee} /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];
