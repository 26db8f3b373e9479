import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { Confirm } from "../ui/confirm.tsx";
import { plural } from "../ui/format.ts";
import { archiveTopic, refreshedByTopics, type Topic } from "./topic-requests.ts";

interface ArchiveTopicProps {
  readonly topic: Topic;
  readonly onClose: () => void;
}

export function ArchiveTopic({ topic, onClose }: ArchiveTopicProps) {
  const [cascade, setCascade] = useState(false);
  const { mutate, isPending, error } = useChange(archiveTopic, { refreshes: refreshedByTopics, onDone: onClose });
  return (
    <Confirm
      title="Archive this topic?"
      confirmLabel="Archive"
      isOpen
      onClose={onClose}
      onConfirm={() => mutate({ id: topic.id, cascade })}
      isSaving={isPending}
      error={error}
    >
      <Stack gap="sm">
        <span>{topic.title} is removed from lists but stays in reports. You can restore it.</span>
        {topic.taskCount > 0 && (
          <Checkbox
            label={`Also archive its ${plural(topic.taskCount, "active task")}`}
            checked={cascade}
            onChange={(event) => setCascade(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </Confirm>
  );
}
