import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ActionButton } from "../ui/action.tsx";
import { ChoiceFilter, choices } from "../ui/filters/choice-filter.tsx";
import { SearchBox } from "../ui/filters/search-box.tsx";
import { FlagFilter } from "../ui/filters/single-filter.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { TopicBulkBar } from "./topic-bulk-bar.tsx";
import { topicColumns } from "./topic-columns.tsx";
import { TopicForm } from "./topic-form.tsx";
import { createTopic, listTopics } from "./topic-requests.ts";
import { type TopicSearch, topicStatuses } from "./topic-search.ts";

const route = getRouteApi("/signed-in/topics");

export default function TopicListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSearch = (change: Partial<TopicSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<TopicSearch>) => onSearch({ ...change, skip: undefined });
  const { title, status, isInScope, isTasksVerified } = search;
  const isFiltered = [title, status, isInScope, isTasksVerified].some((value) => value !== undefined);
  const request = listTopics(search);
  const newTopic = (
    <ActionButton operation="POST /v0/topics" leftSection={<Plus size={14} />} onClick={create.open}>
      New topic
    </ActionButton>
  );
  return (
    <Page
      title="Topics"
      description="Subjects that users discuss with the application"
      requests={[request]}
      actions={newTopic}
    >
      <ListView
        label="Topics"
        request={request}
        columns={topicColumns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<TopicSearch>)}
        selection={{ ids: selected, onChange: setSelected, nameOf: (id) => `topic ${id}` }}
        bar={<TopicBulkBar ids={[...selected]} onDone={() => setSelected(new Set())} />}
        onReset={
          isFiltered
            ? () => filter({ title: undefined, status: undefined, isInScope: undefined, isTasksVerified: undefined })
            : undefined
        }
        filters={
          <>
            <SearchBox label="Search titles" value={title} onChange={(value) => filter({ title: value })} />
            <ChoiceFilter
              label="Status"
              options={choices(topicStatuses)}
              value={status}
              onChange={(value) => filter({ status: value })}
            />
            <FlagFilter label="In scope" value={isInScope} onChange={(value) => filter({ isInScope: value })} />
            <FlagFilter
              label="Tasks verified"
              value={isTasksVerified}
              onChange={(value) => filter({ isTasksVerified: value })}
            />
          </>
        }
        empty={
          <EmptyState title="No topics yet" action={newTopic} request={createTopic({ title: "Opening an account" })}>
            A topic is a subject that users discuss with the application. Its tasks are what the application is tested
            with.
          </EmptyState>
        }
      />
      {isCreating && <TopicForm onClose={create.close} />}
    </Page>
  );
}
