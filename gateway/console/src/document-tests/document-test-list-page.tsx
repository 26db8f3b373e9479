import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Play } from "lucide-react";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { count, missing, percent, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import {
  type DocumentTest,
  type DocumentTestSearch,
  labels,
  listDocumentTests,
  resultsOf,
  statuses,
  triggerDocumentTest,
  types,
} from "./document-test-requests.ts";
import { TriggerForm } from "./trigger-form.tsx";

const route = getRouteApi("/signed-in/document-tests");

const columns: readonly Column<DocumentTest>[] = [
  {
    id: "type",
    label: "Test",
    isFixed: true,
    width: 240,
    orderBy: "type",
    cell: ({ id, type }) => (
      <AnchorLink to="/document-tests/$documentTestId" params={{ documentTestId: id }} inherit fw={500}>
        {labels[type]}
      </AnchorLink>
    ),
  },
  { id: "status", label: "Status", orderBy: "status", cell: ({ status }) => <Status value={status} /> },
  { id: "result", label: "Result", width: 240, cell: (test) => summaryOf(test) },
  {
    id: "progress",
    label: "Questions",
    isNumber: true,
    cell: ({ progress }) => (progress === null ? missing : `${count(progress.completed)} of ${count(progress.total)}`),
  },
  { id: "waitingFor", label: "Waits for", isOptional: true, cell: ({ waitingFor }) => words(waitingFor) },
  { id: "createdAt", label: "Started", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

function summaryOf(test: DocumentTest): string {
  const { message, meceMeanOverlap } = test;
  const results = resultsOf(test);
  if (message !== null) return message;
  if (results?.score !== undefined) return `${percent(results.score, 0)} covered`;
  if (meceMeanOverlap !== null) return `Mean overlap ${percent(meceMeanOverlap, 0)}`;
  if (results?.documentsWithoutTasks === undefined) return missing;
  return `${count(results.documentsWithoutTasks.length)} documents without tasks`;
}

export default function DocumentTestListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isStarting, start] = useDisclosure();
  const request = listDocumentTests(search);
  const onSearch = (change: Partial<DocumentTestSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<DocumentTestSearch>) => onSearch({ ...change, skip: undefined });
  const isFiltered = search.type !== undefined || search.status !== undefined;
  const newTest = (
    <ActionButton operation="POST /v0/documents/tests/trigger" leftSection={<Play size={14} />} onClick={start.open}>
      Test the documents
    </ActionButton>
  );
  return (
    <Page
      title="Document tests"
      description="What the documents lack, repeat and contradict, as the application's model finds it"
      requests={[request]}
      actions={newTest}
    >
      <ListView
        label="Document tests"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<DocumentTestSearch>)}
        onReset={isFiltered ? () => filter({ type: undefined, status: undefined }) : undefined}
        filters={
          <>
            <ChoiceFilter
              label="Test"
              options={types.map((value) => ({ value, label: labels[value] }))}
              value={search.type}
              onChange={(type) => filter({ type })}
            />
            <ChoiceFilter
              label="Status"
              options={choices(statuses)}
              value={search.status}
              onChange={(status) => filter({ status })}
            />
          </>
        }
        empty={
          <EmptyState
            title="No document tests yet"
            action={newTest}
            request={triggerDocumentTest({ type: "KNOWLEDGE_COVERAGE" })}
          >
            A document test asks the application's model what the documents cover, where they overlap, and whom they
            serve.
          </EmptyState>
        }
      />
      {isStarting && <TriggerForm onClose={start.close} />}
    </Page>
  );
}
