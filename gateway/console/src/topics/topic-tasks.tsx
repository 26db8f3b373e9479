// Lists the first tasks of a topic, with a form to add a task.

import { Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { read } from "../api/query.ts";
import { taskColumns } from "../tasks/task-columns.tsx";
import { TaskForm } from "../tasks/task-form.tsx";
import { listTasks } from "../tasks/task-requests.ts";
import { ActionButton } from "../ui/action.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { DataTable } from "../ui/table/data-table.tsx";

const columns = taskColumns(new Map()).filter(({ id }) => id !== "topic");
const displayedMax = 25;

export function TopicTasks({ topicId }: { readonly topicId: string }) {
  const [isCreating, create] = useDisclosure();
  const { data, error, refetch } = useQuery(read(listTasks({ topicId: [topicId], limit: displayedMax })));
  return (
    <Section
      title="Tasks"
      actions={
        <>
          <AnchorLink to="/tasks" search={{ topicId: [topicId] }} size="sm">
            All tasks
          </AnchorLink>
          <ActionButton
            operation="POST /v0/tasks"
            variant="default"
            leftSection={<Plus size={14} />}
            onClick={create.open}
          >
            New task
          </ActionButton>
        </>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data?.data.length === 0 ? (
        <Text size="sm" c="dimmed">
          No tasks yet
        </Text>
      ) : (
        <DataTable label="Tasks of the topic" columns={columns} rows={data?.data} skeletonRows={5} />
      )}
      {isCreating && <TaskForm topicId={topicId} onClose={create.close} />}
    </Section>
  );
}
