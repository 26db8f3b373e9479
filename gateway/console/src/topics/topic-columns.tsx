import { Status } from "../ui/badges.tsx";
import { count, missing, score } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { Time } from "../ui/time.tsx";
import type { Topic } from "./topic-requests.ts";

const yesNo = (value: boolean) => (value ? "Yes" : "No");

export const topicColumns: readonly Column<Topic>[] = [
  {
    id: "title",
    label: "Title",
    orderBy: "title",
    isFixed: true,
    width: 220,
    cell: ({ id, title }) => (
      <AnchorLink to="/topics/$topicId" params={{ topicId: id }} inherit fw={500}>
        {title}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", orderBy: "status", cell: ({ status }) => <Status value={status} /> },
  { id: "isInScope", label: "In scope", cell: ({ isInScope }) => yesNo(isInScope) },
  { id: "taskCount", label: "Tasks", isNumber: true, cell: ({ taskCount }) => count(taskCount) },
  { id: "documentCount", label: "Documents", isNumber: true, cell: ({ documentCount }) => count(documentCount) },
  { id: "baseline", label: "Baseline", isNumber: true, isOptional: true, cell: ({ baseline }) => score(baseline) },
  {
    id: "definitions",
    label: "Definitions",
    isNumber: true,
    cell: ({ evalDefinitions }) => count(evalDefinitions.length),
  },
  {
    id: "assignee",
    label: "Assignee",
    cell: ({ assignedUser, assignedTo }) => assignedUser?.name ?? assignedTo ?? missing,
  },
  { id: "verified", label: "Tasks verified", isOptional: true, cell: ({ isTasksVerified }) => yesNo(isTasksVerified) },
  { id: "modifiedAt", label: "Changed", orderBy: "modifiedAt", cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
  {
    id: "createdAt",
    label: "Created",
    orderBy: "createdAt",
    isOptional: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];
