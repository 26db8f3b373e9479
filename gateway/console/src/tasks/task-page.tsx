import { Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { getRouteApi } from "@tanstack/react-router";
import { Archive, Pencil, Play } from "lucide-react";
import type { Loaded } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import { LinkedDefinitions } from "../definitions/linked-definitions.tsx";
import { RunNow } from "../runs/run-now.tsx";
import { TaskTags } from "../tags/task-tags.tsx";
import { listTests } from "../tests/test-requests.ts";
import { TestTable } from "../tests/test-table.tsx";
import { useTopicTitles } from "../topics/topic-names.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { count, missing, score, words } from "../ui/format.ts";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { type ExampleDraft, toExampleDraft } from "./example-draft.ts";
import { MetricsRate } from "./task-columns.tsx";
import { TaskForm } from "./task-form.tsx";
import { TaskHistory } from "./task-history.tsx";
import { archiveTask, getTask, refreshedByTasks, type Task } from "./task-requests.ts";
import { TaskSchedule } from "./task-schedule.tsx";

const route = getRouteApi("/signed-in/tasks/$taskId");
const parent = { to: "/tasks", label: "Tasks" } as const;

export default function TaskPage() {
  const { taskId } = route.useParams();
  return (
    <Detail request={getTask(taskId)} title="Task" parent={parent}>
      {(_, loaded) => <TaskDetail loaded={loaded} />}
    </Detail>
  );
}

function TaskDetail({ loaded }: { readonly loaded: Loaded<{ readonly task: Task }> }) {
  const { task } = loaded.body;
  const [isEditing, edit] = useDisclosure();
  const [isRunning, run] = useDisclosure();
  const [isArchiving, archive] = useDisclosure();
  const archiving = useChange(archiveTask, { refreshes: refreshedByTasks, onDone: archive.close });
  const isArchived = task.status === "ARCHIVED";
  const tests = listTests({ taskId: [task.id], limit: 10 });
  return (
    <Page
      title={task.title}
      parent={parent}
      mark={<Status value={task.status} />}
      description={task.description}
      requests={[getTask(task.id), tests]}
      actions={
        <>
          {!isArchived && (
            <ActionButton operation="POST /v0/tasks/trigger" leftSection={<Play size={14} />} onClick={run.open}>
              Run now
            </ActionButton>
          )}
          <ActionButton
            operation="PUT /v0/tasks/{id}"
            variant="default"
            leftSection={<Pencil size={14} />}
            onClick={edit.open}
          >
            {isArchived ? "Restore" : "Edit"}
          </ActionButton>
          {!isArchived && (
            <ActionButton
              operation="POST /v0/tasks/{id}/archive"
              variant="default"
              leftSection={<Archive size={14} />}
              onClick={archive.open}
            >
              Archive
            </ActionButton>
          )}
        </>
      }
    >
      <Stack gap="xl">
        <TaskFacts task={task} />
        <TaskHistory taskId={task.id} />
        <TaskSchedule task={task} />
        <LinkedDefinitions target={{ taskId: task.id }} links={task.evalDefinitions} />
        {task.examples.length > 0 && (
          <Section title="Prompts">
            {task.examples.map((example, index) => (
              <Example key={index} example={toExampleDraft(example)} />
            ))}
          </Section>
        )}
        <Section
          title="Latest tests"
          actions={
            <AnchorLink to="/tests" search={{ taskId: [task.id] }} size="sm">
              All tests
            </AnchorLink>
          }
        >
          <TestTable request={tests} isWithinTask />
        </Section>
      </Stack>
      {isEditing && <TaskForm task={loaded} onClose={edit.close} />}
      {isRunning && <RunNow taskIds={[task.id]} title="Run this task" onClose={run.close} />}
      <Confirm
        title="Archive this task?"
        confirmLabel="Archive"
        isOpen={isArchiving}
        onClose={archive.close}
        onConfirm={() => archiving.mutate(task.id)}
        isSaving={archiving.isPending}
        error={archiving.error}
      >
        {task.title} is removed from lists but stays in reports. You can restore it.
      </Confirm>
    </Page>
  );
}

function Example({ example: { input, expected, metadata } }: { readonly example: ExampleDraft }) {
  return (
    <Stack gap={4}>
      <CodeBlock text={input} label="prompt" />
      {expected.length > 0 && <Facts rows={[["Expected", <Text key="text">{expected.join(" or ")}</Text>]]} />}
      {metadata !== "" && <CodeBlock text={metadata} label="metadata" />}
    </Stack>
  );
}

function TaskFacts({ task }: { readonly task: Task }) {
  const { topicId, synthetic, monitoring } = task;
  const topics = useTopicTitles([topicId]);
  const more = synthetic?.recommendedAdditionalEvaluations ?? 0;
  return (
    <Facts
      rows={[
        ["Pass rate, 30 days", <MetricsRate key="rate" metrics={synthetic} />],
        ["Tests, 30 days", count(synthetic?.tests)],
        [
          "Confidence",
          `${words(synthetic?.confidence?.level)}${more > 0 ? ` · ${count(more)} more tests to reach High` : ""}`,
        ],
        ["Stability", words(synthetic?.stability?.level)],
        ["Health", score(synthetic?.healthScore)],
        monitoring !== null &&
          monitoring.tests > 0 && ["Live pass rate", <MetricsRate key="live" metrics={monitoring} />],
        [
          "Topic",
          topicId === null ? (
            missing
          ) : (
            <AnchorLink key="topic" to="/topics/$topicId" params={{ topicId }} inherit>
              {topics.get(topicId) ?? "…"}
            </AnchorLink>
          ),
        ],
        ["Tags", <TaskTags key="tags" taskId={task.id} />],
        ["Type", words(task.type)],
        ["Verified", task.isVerified ? "Yes" : "No"],
        ["Changed", <Time key="changed" value={task.modifiedAt} />],
      ]}
    />
  );
}
