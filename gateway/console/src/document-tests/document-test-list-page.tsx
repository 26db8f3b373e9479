import { Play } from "lucide-react";
import type { FunctionComponent } from "react";
import { choices } from "../ui/filters/choice-filter.tsx";
import { count, missing, percent, words } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, statusColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import {
  type DocumentTest,
  documentTestUrl,
  labels,
  listDocumentTests,
  readResults,
  statuses,
  triggerDocumentTest,
  types,
} from "./document-test-requests.ts";
import { TriggerForm } from "./trigger-form.tsx";

const columns: readonly Column<DocumentTest>[] = [
  {
    id: "type",
    label: "Test",
    isFixed: true,
    width: 240,
    orderBy: "type",
    cell: ({ id, type }) => (
      <RowLink to="/document-tests/$documentTestId" params={{ documentTestId: id }}>
        {labels[type]}
      </RowLink>
    ),
  },
  statusColumn(),
  { id: "result", label: "Result", width: 240, cell: (test) => formatSummary(test) },
  {
    id: "progress",
    label: "Questions",
    isNumber: true,
    cell: ({ progress }) => (progress === null ? missing : `${count(progress.completed)} of ${count(progress.total)}`),
  },
  { id: "waitingFor", label: "Waiting for", isOptional: true, cell: ({ waitingFor }) => words(waitingFor) },
  timeColumn("createdAt", "Started"),
  idColumn,
];

const DocumentTestListPage: FunctionComponent = listPage({
  title: "Document tests",
  description: "Gaps, overlaps and contradictions in the documents",
  url: documentTestUrl,
  list: listDocumentTests,
  columns,
  filters: [
    { some: "type", label: "Test", options: types.map((value) => ({ value, label: labels[value] })) },
    { some: "status", label: "Status", options: choices(statuses) },
  ],
  action: {
    operation: "POST /v0/documents/tests/trigger",
    label: "Test documents",
    icon: <Play size={14} />,
    Form: TriggerForm,
  },
  empty: {
    title: "No document tests yet",
    text: "A document test uses the application's model to find gaps, overlaps and contradictions, and to map documents to tasks.",
    request: triggerDocumentTest({ type: "KNOWLEDGE_COVERAGE" }),
  },
});
export default DocumentTestListPage;

function formatSummary(test: DocumentTest): string {
  const { message, meceMeanOverlap } = test;
  const results = readResults(test);
  if (message !== null) return message;
  if (results?.score !== undefined) return `${percent(results.score, 0)} covered`;
  if (meceMeanOverlap !== null) return `Mean overlap ${percent(meceMeanOverlap, 0)}`;
  if (results?.documentsWithoutTasks === undefined) return missing;
  return `${count(results.documentsWithoutTasks.length)} documents without tasks`;
}
