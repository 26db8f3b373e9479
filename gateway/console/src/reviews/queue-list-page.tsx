import type { FunctionComponent } from "react";
import { FlagFilter } from "../ui/filters/single-filter.tsx";
import { count } from "../ui/format.ts";
import { RowLink } from "../ui/link.tsx";
import { listPage } from "../ui/list-page.tsx";
import type { Column } from "../ui/table/columns.ts";
import { idColumn, timeColumn } from "../ui/table/usual-columns.tsx";
import { QueueForm } from "./queue-form.tsx";
import { listQueues, type Queue, queueUrl } from "./review-requests.ts";

const columns: readonly Column<Queue>[] = [
  {
    id: "topic",
    label: "Topic",
    isFixed: true,
    width: 240,
    cell: ({ id, topicTitle }) => (
      <RowLink to="/reviews/$queueId" params={{ queueId: id }}>
        {topicTitle === "" ? "Deleted topic" : topicTitle}
      </RowLink>
    ),
  },
  {
    id: "criterion",
    label: "Evaluator",
    width: 200,
    cell: ({ definitionId, criterion }) =>
      definitionId === null ? "Whole answer" : (criterion?.name ?? "Deleted evaluator"),
  },
  { id: "assignee", label: "Reviewer", width: 180, cell: ({ assigneeName }) => assigneeName },
  { id: "pending", label: "Waiting", isNumber: true, cell: ({ pendingCount }) => count(pendingCount) },
  { id: "completed", label: "Reviewed", isNumber: true, cell: ({ completedCount }) => count(completedCount) },
  timeColumn("createdAt", "Created"),
  idColumn,
];

const QueueListPage: FunctionComponent = listPage({
  title: "Review queues",
  description: "Human review, used to check the judges",
  url: queueUrl,
  list: listQueues,
  columns,
  filters: [
    ({ search: { mine }, onChange }) => (
      <FlagFilter label="Mine only" value={mine} onChange={(value) => onChange({ mine: value || undefined })} />
    ),
  ],
  action: { operation: "POST /v0/human-annotation-queues", label: "New queue", Form: QueueForm },
  empty: {
    title: "No review queues yet",
    text: "A queue belongs to one topic, one reviewer and, if you choose one, one evaluator. Add traces from the page of an evaluator.",
    request: listQueues({}),
  },
});
export default QueueListPage;
