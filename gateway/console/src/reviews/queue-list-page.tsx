import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { ActionButton } from "../ui/action.tsx";
import { FlagFilter } from "../ui/filters/single-filter.tsx";
import { count } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { ListView } from "../ui/table/list-view.tsx";
import { Time } from "../ui/time.tsx";
import { QueueForm } from "./queue-form.tsx";
import { listQueues, type Queue, type QueueSearch } from "./review-requests.ts";

const route = getRouteApi("/signed-in/reviews");

const columns: readonly Column<Queue>[] = [
  {
    id: "topic",
    label: "Topic",
    isFixed: true,
    width: 240,
    cell: ({ id, topicTitle }) => (
      <AnchorLink to="/reviews/$queueId" params={{ queueId: id }} inherit fw={500}>
        {topicTitle === "" ? "A topic that is gone" : topicTitle}
      </AnchorLink>
    ),
  },
  { id: "assignee", label: "Who reviews", width: 180, cell: ({ assigneeName }) => assigneeName },
  { id: "pending", label: "Waiting", isNumber: true, cell: ({ pendingCount }) => count(pendingCount) },
  { id: "completed", label: "Judged", isNumber: true, cell: ({ completedCount }) => count(completedCount) },
  { id: "createdAt", label: "Created", orderBy: "createdAt", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { id: "id", label: "Id", isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

export default function QueueListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const request = listQueues(search);
  const onSearch = (change: Partial<QueueSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const newQueue = (
    <ActionButton operation="POST /v0/human-annotation-queues" leftSection={<Plus size={14} />} onClick={create.open}>
      New queue
    </ActionButton>
  );
  return (
    <Page
      title="Review queues"
      description="Traces that people judge, so that judges can be measured by them"
      requests={[request]}
      actions={newQueue}
    >
      <ListView
        label="Review queues"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<QueueSearch>)}
        onReset={search.mine === undefined ? undefined : () => onSearch({ mine: undefined, skip: undefined })}
        filters={
          <FlagFilter
            label="Mine only"
            value={search.mine}
            onChange={(mine) => onSearch({ mine: mine === true ? true : undefined, skip: undefined })}
          />
        }
        empty={
          <EmptyState title="No review queues yet" action={newQueue} request={request}>
            A queue belongs to a topic and a person. The page of a definition fills it with the traces that say most
            about its judge.
          </EmptyState>
        }
      />
      {isCreating && <QueueForm onClose={create.close} />}
    </Page>
  );
}
