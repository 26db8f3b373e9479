import { useDisclosure } from "@mantine/hooks";
import { Upload } from "lucide-react";
import { type FunctionComponent, useMemo } from "react";
import { useDefinitions } from "../definitions/definition-requests.ts";
import { useTags } from "../tags/tag-requests.ts";
import { useTopics, useTopicTitles } from "../topics/topic-names.ts";
import { ActionButton } from "../ui/action.tsx";
import { choices } from "../ui/filters/choice-filter.tsx";
import { listPage } from "../ui/list-page.tsx";
import { ImportForm } from "./import-form.tsx";
import { TaskBulkBar } from "./task-bulk-bar.tsx";
import { taskColumns } from "./task-columns.tsx";
import { TaskForm } from "./task-form.tsx";
import { createTask, listTasks } from "./task-requests.ts";
import { levels, taskStatuses, taskUrl } from "./task-search.ts";

const results = [
  { value: "success", label: "Above 75 %" },
  { value: "warning", label: "Above 50 %, up to 75 %" },
  { value: "error", label: "Up to 50 %" },
  { value: "no-tests", label: "No tests" },
] as const;

const TaskListPage: FunctionComponent = listPage({
  title: "Tasks",
  description: "Requests that tests send to the application",
  url: taskUrl,
  list: listTasks,
  columns: (rows) => {
    const topics = useTopicTitles(rows.map(({ topicId }) => topicId));
    return useMemo(() => taskColumns(topics), [topics]);
  },
  filters: [
    { text: "search", label: "Search titles and descriptions" },
    { some: "topicId", label: "Topic", options: useTopics },
    { some: "status", label: "Status", options: choices(taskStatuses) },
    { some: "result", label: "Pass rate", options: results },
    { some: "tagId", label: "Tag", options: useTags },
    { some: "evalDefinitionId", label: "Evaluator", options: useDefinitions },
    { some: "confidenceLevel", label: "Confidence", options: choices(levels) },
  ],
  action: { operation: "POST /v0/tasks", label: "New task", Form: TaskForm },
  actions: (newTask) => (
    <>
      <Import />
      {newTask}
    </>
  ),
  selection: { getName: ({ title }) => title, Bar: TaskBulkBar },
  empty: {
    title: "No tasks yet",
    text: "A task is a request that users make. Tests send it to the application, and evaluators judge the answer.",
    request: createTask({ title: "Which papers do I need?", description: "A customer wants to open an account." }),
  },
});
export default TaskListPage;

function Import() {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <ActionButton
        operation="POST /v0/tasks/import"
        variant="default"
        leftSection={<Upload size={14} />}
        onClick={open}
      >
        Import
      </ActionButton>
      {isOpen && <ImportForm onClose={close} />}
    </>
  );
}
