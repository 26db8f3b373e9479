import { Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus, Upload } from "lucide-react";
import { useMemo, useState } from "react";
import { readList } from "../api/query.ts";
import { useTopicTitles } from "../topics/topic-names.ts";
import { ActionButton } from "../ui/action.tsx";
import { Page } from "../ui/page.tsx";
import { EmptyState } from "../ui/states.tsx";
import { ListView } from "../ui/table/list-view.tsx";
import { ImportForm } from "./import-form.tsx";
import { TaskBulkBar } from "./task-bulk-bar.tsx";
import { taskColumns } from "./task-columns.tsx";
import { isTaskFiltered, noTaskFilter, TaskFilters } from "./task-filters.tsx";
import { TaskForm } from "./task-form.tsx";
import { createTask, listTasks } from "./task-requests.ts";
import type { TaskSearch } from "./task-search.ts";

const route = getRouteApi("/signed-in/tasks");

export default function TaskListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useDisclosure();
  const [isImporting, importing] = useDisclosure();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const onSearch = (change: Partial<TaskSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filter = (change: Partial<TaskSearch>) => onSearch({ ...change, skip: undefined });
  const request = listTasks(search);
  const { data } = useQuery(readList(request));
  const topics = useTopicTitles((data?.data ?? []).map(({ topicId }) => topicId));
  const columns = useMemo(() => taskColumns(topics), [topics]);
  const titleOf = (id: string) => data?.data.find((task) => task.id === id)?.title ?? id;
  const newTask = (
    <ActionButton operation="POST /v0/tasks" leftSection={<Plus size={14} />} onClick={create.open}>
      New task
    </ActionButton>
  );
  return (
    <Page
      title="Tasks"
      description="Requests that are put to the application when it is evaluated"
      requests={[request]}
      actions={
        <Group gap="xs">
          <ActionButton
            operation="POST /v0/tasks/import"
            variant="default"
            leftSection={<Upload size={14} />}
            onClick={importing.open}
          >
            Import
          </ActionButton>
          {newTask}
        </Group>
      }
    >
      <ListView
        label="Tasks"
        request={request}
        columns={columns}
        search={search}
        onSearch={(change) => onSearch(change as Partial<TaskSearch>)}
        selection={{ ids: selected, onChange: setSelected, nameOf: titleOf }}
        bar={<TaskBulkBar ids={[...selected]} onDone={() => setSelected(new Set())} />}
        onReset={isTaskFiltered(search) ? () => filter(noTaskFilter) : undefined}
        filters={<TaskFilters search={search} onChange={filter} />}
        empty={
          <EmptyState
            title="No tasks yet"
            action={newTask}
            request={createTask({
              title: "Which papers do I need?",
              description: "A customer wants to open an account.",
            })}
          >
            A task is a request that users make of the application. Tests put it to the application, and definitions
            judge the answer.
          </EmptyState>
        }
      />
      {isCreating && <TaskForm onClose={create.close} />}
      {isImporting && <ImportForm onClose={importing.close} />}
    </Page>
  );
}
