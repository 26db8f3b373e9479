import { Skeleton, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Archive, Pencil } from "lucide-react";
import { readVersion } from "../api/query.ts";
import { LinkedDefinitions } from "../definitions/linked-definitions.tsx";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Facts } from "../ui/facts.tsx";
import { missing, score } from "../ui/format.ts";
import { Page } from "../ui/page.tsx";
import { ErrorState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { ArchiveTopic } from "./archive-topic.tsx";
import { TopicForm } from "./topic-form.tsx";
import { getTopic } from "./topic-requests.ts";
import { TopicTasks } from "./topic-tasks.tsx";

const route = getRouteApi("/signed-in/topics/$topicId");
const parent = { to: "/topics", label: "Topics" } as const;

export default function TopicPage() {
  const { topicId } = route.useParams();
  const request = getTopic(topicId);
  const { data, error, refetch } = useQuery(readVersion(request));
  const [isEditing, edit] = useDisclosure();
  const [isArchiving, archive] = useDisclosure();
  const topic = data?.body.data;
  if (error !== null && topic === undefined) {
    return (
      <Page title="Topic" parent={parent} requests={[request]}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (data === undefined || topic === undefined) {
    return (
      <Page title="Topic" parent={parent} requests={[request]}>
        <Skeleton height={48} />
      </Page>
    );
  }
  const isArchived = topic.status === "ARCHIVED";
  return (
    <Page
      title={topic.title}
      parent={parent}
      mark={<Status value={topic.status} />}
      requests={[request]}
      actions={
        <>
          <ActionButton
            operation="PUT /v0/topics/{id}"
            variant="default"
            leftSection={<Pencil size={14} />}
            onClick={edit.open}
          >
            {isArchived ? "Restore" : "Edit"}
          </ActionButton>
          {!isArchived && (
            <ActionButton
              operation="POST /v0/topics/{id}/archive"
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
      <Stack gap="lg">
        <Facts
          rows={[
            ["In scope", topic.isInScope ? "Yes" : "No"],
            ["Baseline", score(topic.baseline)],
            ["Assignee", topic.assignedUser?.name ?? topic.assignedTo ?? missing],
            ["Tasks verified", topic.isTasksVerified ? "Yes" : "No"],
            ["Documents", topic.documentCount],
            ["Created", <Time key="created" value={topic.createdAt} />],
            ["Changed", <Time key="changed" value={topic.modifiedAt} />],
          ]}
        />
        <TopicTasks topicId={topic.id} />
        <LinkedDefinitions target={{ topicId: topic.id }} links={topic.evalDefinitions} />
      </Stack>
      {isEditing && <TopicForm topic={{ ...data, request }} onClose={edit.close} />}
      {isArchiving && <ArchiveTopic topic={topic} onClose={archive.close} />}
    </Page>
  );
}
