// Shows and changes where a definition applies: to all tasks, to topics or to single tasks.

import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messageOfError } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import { listTasks } from "../tasks/task-requests.ts";
import { useTopicTitles } from "../topics/topic-names.ts";
import { ActionButton, ActionSwitch } from "../ui/action.tsx";
import { count } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import type { Column } from "../ui/table/columns.ts";
import { DataTable } from "../ui/table/data-table.tsx";
import {
  type Definition,
  linkApplication,
  refreshedByDefinitions,
  unlinkApplication,
  unlinkTasks,
  unlinkTopics,
} from "./definition-requests.ts";

interface Use {
  readonly id: string;
  readonly kind: "Topic" | "Task";
  readonly title: string;
}

const displayedMax = 50;

export function DefinitionUses({ definition }: { readonly definition: Definition }) {
  const { id, application, topics } = definition;
  const titles = useTopicTitles(topics);
  const request = listTasks({ evalDefinitionId: [id], limit: displayedMax, orderBy: "title", orderDir: "asc" });
  const tasks = useQuery(read(request));
  const linking = useChange((isLinked: boolean) => (isLinked ? linkApplication([id]) : unlinkApplication([id])), {
    refreshes: refreshedByDefinitions,
  });
  const unlinking = useChange(
    ({ kind, id: usedBy }: Use) =>
      kind === "Topic"
        ? unlinkTopics({ evalIds: [id], topicIds: [usedBy] })
        : unlinkTasks({ evalIds: [id], taskIds: [usedBy] }),
    { refreshes: refreshedByDefinitions },
  );
  // Keep only tasks with their own link, because the API also returns tasks linked through their topic.
  const own = (tasks.data?.data ?? []).filter(({ evalDefinitions }) =>
    evalDefinitions.some((linked) => linked.id === id),
  );
  const uses: Use[] = [
    ...topics.map((topicId) => ({ id: topicId, kind: "Topic" as const, title: titles.get(topicId) ?? "…" })),
    ...own.map(({ id: taskId, title }) => ({ id: taskId, kind: "Task" as const, title })),
  ];
  const columns: Column<Use>[] = [
    { id: "title", label: "Title", isFixed: true, width: 200, cell: (use) => <UseLink use={use} /> },
    { id: "kind", label: "Kind", cell: ({ kind }) => kind },
    {
      id: "unlink",
      label: "Action",
      isNumber: true,
      cell: (use) => (
        <ActionButton
          operation={["POST /v0/definitions/unlink", "POST /v0/definitions/unlink-topics"]}
          variant="subtle"
          size="compact-xs"
          disabled={unlinking.isPending}
          aria-label={`Unlink ${use.title}`}
          onClick={() => unlinking.mutate(use)}
        >
          Unlink
        </ActionButton>
      ),
    },
  ];
  const total = tasks.data?.pagination?.total ?? 0;
  const error = linking.error ?? unlinking.error;
  return (
    <Section
      title="Applies to"
      description="It judges the tests of these tasks"
      actions={
        <AnchorLink to="/definitions/links" search={{ name: definition.name }} size="sm">
          All links
        </AnchorLink>
      }
    >
      <Stack gap="sm">
        <Group gap="sm">
          <ActionSwitch
            operation={["POST /v0/definitions/link-application", "POST /v0/definitions/unlink-application"]}
            label="All tasks of the application"
            checked={application !== null}
            disabled={linking.isPending}
            onChange={(event) => linking.mutate(event.currentTarget.checked)}
          />
        </Group>
        {error !== null && (
          <Text size="sm" c="var(--ems-bad)" role="alert">
            {messageOfError(error)}
          </Text>
        )}
        {tasks.error !== null && tasks.data === undefined ? (
          <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
        ) : tasks.data !== undefined && uses.length === 0 ? (
          <Text size="sm" c="dimmed">
            No linked topics or tasks yet.
          </Text>
        ) : (
          <DataTable
            label="Topics and tasks that it applies to"
            columns={columns}
            rows={tasks.data === undefined ? undefined : uses}
            skeletonRows={2}
          />
        )}
        {total > displayedMax && (
          <AnchorLink to="/tasks" search={{ evalDefinitionId: [id] }} size="sm">
            All {count(total)} tasks
          </AnchorLink>
        )}
      </Stack>
    </Section>
  );
}

function UseLink({ use: { id, kind, title } }: { readonly use: Use }) {
  return kind === "Topic" ? (
    <AnchorLink to="/topics/$topicId" params={{ topicId: id }} inherit>
      {title}
    </AnchorLink>
  ) : (
    <AnchorLink to="/tasks/$taskId" params={{ taskId: id }} inherit>
      {title}
    </AnchorLink>
  );
}
