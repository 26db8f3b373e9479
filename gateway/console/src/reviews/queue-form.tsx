import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { createQueue, refreshedByReviews } from "./review-requests.ts";

export function QueueForm({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [topics, users] = [useTopicChoices(), useUserChoices()];
  const [topicId, setTopicId] = useState<string | null>(null);
  const [assigneeId, setAssigneeId] = useState<string | null>(null);
  const { mutate, isPending, error } = useChange(createQueue, {
    refreshes: refreshedByReviews,
    onDone: ({ data }) => void navigate({ to: "/reviews/$queueId", params: { queueId: data.id } }),
  });
  const issues = issuesByField(error);
  return (
    <FormModal
      title="New queue"
      submitLabel="Create"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ topicId: topicId ?? "", assigneeId })}
      isSaving={isPending}
      error={error}
    >
      <Select
        label="Topic"
        required
        searchable
        data-autofocus
        data={topics}
        value={topicId}
        error={issues.topicId}
        onChange={setTopicId}
      />
      <Select
        label="Who reviews"
        placeholder="You"
        searchable
        clearable
        clearButtonProps={{ "aria-label": "You" }}
        data={users}
        value={assigneeId}
        error={issues.assigneeId}
        onChange={setAssigneeId}
      />
    </FormModal>
  );
}
