import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { count, missing, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { IssueForm } from "./issue-form.tsx";
import {
  createIssue,
  type Issue,
  type IssueSearch,
  listIssues,
  priorities,
  refreshedByIssues,
  sources,
  statuses,
  types,
  updateIssues,
} from "./issue-requests.ts";

const route = getRouteApi("/signed-in/issues");

const columns: readonly Column<Issue>[] = [
  {
    id: "title",
    label: "Title",
    isFixed: true,
    width: 320,
    orderBy: "title",
    cell: ({ id, title }) => (
      <AnchorLink to="/issues/$issueId" params={{ issueId: id }} inherit fw={500}>
        {title}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", width: 100, orderBy: "status", cell: ({ status }) => <Status value={status} /> },
  { id: "priority", label: "Priority", width: 90, orderBy: "priority", cell: ({ priority }) => words(priority) },
  { id: "source", label: "Found by", width: 130, cell: ({ source }) => words(source) },
  { id: "type", label: "Type", width: 130, isOptional: true, cell: ({ type }) => words(type) },
  { id: "assignedTo", label: "Assigned to", width: 140, cell: ({ assignedUser }) => assignedUser?.name ?? missing },
  { id: "occurrences", label: "Times", isNumber: true, cell: ({ occurrences }) => count(occurrences) },
  { id: "lastOccurredAt", label: "Last seen", cell: ({ lastOccurredAt }) => <Time value={lastOccurredAt} /> },
  {
    id: "createdAt",
    label: "Opened",
    isOptional: true,
    orderBy: "createdAt",
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

const unfiltered = {
  status: undefined,
  priority: undefined,
  source: undefined,
  type: undefined,
  assignedTo: undefined,
  skip: undefined,
};

export default function IssueListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSearch = (change: Partial<IssueSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<IssueSearch>) => onSearch({ ...change, skip: undefined });
  const { status, priority, source, type, assignedTo } = search;
  const isFiltered = [status, priority, source, type, assignedTo].some((value) => value !== undefined);
  const request = listIssues(search);
  const newIssue = (
    <ActionButton operation="POST /v0/issues" leftSection={<Plus size={14} />} onClick={create.open}>
      New issue
    </ActionButton>
  );
  return (
    <Page
      title="Issues"
      description="What people, failing judgements and monitoring found, until somebody resolved it"
      requests={[request]}
      actions={newIssue}
    >
      <ListView
        label="Issues"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<IssueSearch>)}
        selection={{ ids: selected, onChange: setSelected, nameOf: (id) => `issue ${id}` }}
        bar={<IssueBulkBar ids={[...selected]} onDone={() => setSelected(new Set())} />}
        onReset={isFiltered ? () => onSearch(unfiltered) : undefined}
        filters={
          <>
            <ChoiceFilter
              label="Status"
              options={choices(statuses)}
              value={status}
              onChange={(value) => filter({ status: value })}
            />
            <ChoiceFilter
              label="Priority"
              options={choices(priorities)}
              value={priority}
              onChange={(value) => filter({ priority: value })}
            />
            <ChoiceFilter
              label="Found by"
              options={choices(sources)}
              value={source}
              onChange={(value) => filter({ source: value })}
            />
            <ChoiceFilter
              label="Type"
              options={choices(types)}
              value={type}
              onChange={(value) => filter({ type: value })}
            />
          </>
        }
        empty={
          <EmptyState
            title="No issues"
            action={newIssue}
            request={createIssue({ title: "Fees are a year old", source: "API" })}
          >
            A trace that a person fails opens one, and so does monitoring when a topic's pass rate fell with evidence.
          </EmptyState>
        }
      />
      {isCreating && <IssueForm onClose={create.close} />}
    </Page>
  );
}

const changes = [
  { label: "Resolve", body: { status: "RESOLVED" } },
  { label: "Reject", body: { status: "REJECTED" } },
  { label: "Open anew", body: { status: "OPEN" } },
  { label: "High priority", body: { priority: "HIGH" } },
  { label: "Low priority", body: { priority: "LOW" } },
] as const;

function IssueBulkBar({ ids, onDone }: { readonly ids: readonly string[]; readonly onDone: () => void }) {
  const change = useChange(updateIssues, { refreshes: refreshedByIssues, onDone });
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
