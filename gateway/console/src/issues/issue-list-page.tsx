import type { FunctionComponent } from "react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import { count, missing, words } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { type BulkBarProps, listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { IssueForm } from "./issue-form.tsx";
import {
  createIssue,
  type Issue,
  issueUrl,
  listIssues,
  priorities,
  refreshedByIssues,
  sources,
  statuses,
  types,
  updateIssues,
} from "./issue-requests.ts";

const columns: readonly Column<Issue>[] = [
  {
    id: "title",
    label: "Title",
    isFixed: true,
    width: 320,
    orderBy: "title",
    cell: ({ id, title }) => (
      <RowLink to="/issues/$issueId" params={{ issueId: id }}>
        {title}
      </RowLink>
    ),
  },
  statusColumn({ orderBy: "status", width: 100 }),
  { id: "priority", label: "Priority", width: 90, orderBy: "priority", cell: ({ priority }) => words(priority) },
  { id: "source", label: "Source", width: 130, cell: ({ source }) => words(source) },
  { id: "type", label: "Type", width: 130, isOptional: true, cell: ({ type }) => words(type) },
  { id: "assignedTo", label: "Assigned to", width: 140, cell: ({ assignedUser }) => assignedUser?.name ?? missing },
  { id: "occurrences", label: "Occurrences", isNumber: true, cell: ({ occurrences }) => count(occurrences) },
  timeColumn("lastOccurredAt", "Last seen", { orderBy: undefined }),
  timeColumn("createdAt", "Opened", { isOptional: true }),
  idColumn,
];

const IssueListPage: FunctionComponent = listPage({
  title: "Issues",
  description: "Problems found by reviewers, judges and monitoring",
  url: issueUrl,
  list: listIssues,
  columns,
  filters: [
    { some: "status", label: "Status", options: choices(statuses) },
    { some: "priority", label: "Priority", options: choices(priorities) },
    { some: "source", label: "Source", options: choices(sources) },
    { some: "type", label: "Type", options: choices(types) },
  ],
  action: { operation: "POST /v0/issues", label: "New issue", Form: IssueForm },
  selection: { getName: ({ id }) => `issue ${id}`, Bar: IssueBulkBar },
  empty: {
    title: "No issues",
    text: "An issue opens when a reviewer fails a trace, or when monitoring finds a regression of a topic's pass rate.",
    request: createIssue({ title: "Fees are a year old", source: "API" }),
  },
});
export default IssueListPage;

const changes = [
  { label: "Resolve", body: { status: "RESOLVED" } },
  { label: "Reject", body: { status: "REJECTED" } },
  { label: "Reopen", body: { status: "OPEN" } },
  { label: "High priority", body: { priority: "HIGH" } },
  { label: "Low priority", body: { priority: "LOW" } },
] as const;

function IssueBulkBar({ ids, onSelect }: BulkBarProps) {
  const change = useChange(updateIssues, { refreshes: refreshedByIssues, onDone: () => onSelect([]) });
  return (
    <BulkBar count={ids.length} noun="issue" error={change.error === null ? undefined : messageOfError(change.error)}>
      {changes.map(({ label, body }) => (
        <ActionButton
          operation="PATCH /v0/issues"
          key={label}
          variant="default"
          size="compact-xs"
          disabled={change.isPending}
          onClick={() => change.mutate({ issueIds: [...ids], ...body })}
        >
          {label}
        </ActionButton>
      ))}
    </BulkBar>
  );
}
