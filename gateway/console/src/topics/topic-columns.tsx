import { count, missing, score } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
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
      <RowLink to="/topics/$topicId" params={{ topicId: id }}>
        {title}
      </RowLink>
    ),
  },
  statusColumn(),
  { id: "isInScope", label: "In scope", cell: ({ isInScope }) => yesNo(isInScope) },
  { id: "taskCount", label: "Tasks", isNumber: true, cell: ({ taskCount }) => count(taskCount) },
  { id: "documentCount", label: "Documents", isNumber: true, cell: ({ documentCount }) => count(documentCount) },
  { id: "baseline", label: "Baseline", isNumber: true, isOptional: true, cell: ({ baseline }) => score(baseline) },
  {
    id: "definitions",
    label: "Evaluators",
    isNumber: true,
    cell: ({ evalDefinitions }) => count(evalDefinitions.length),
  },
  {
    id: "assignee",
    label: "Assignee",
    cell: ({ assignedUser, assignedTo }) => assignedUser?.name ?? assignedTo ?? missing,
  },
  { id: "verified", label: "Tasks verified", isOptional: true, cell: ({ isTasksVerified }) => yesNo(isTasksVerified) },
  timeColumn("modifiedAt", "Changed"),
  timeColumn("createdAt", "Created", { isOptional: true }),
  idColumn,
];
