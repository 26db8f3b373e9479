import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { refreshedByTasks } from "../tasks/task-requests.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { acceptTask, type Issue, refreshedByIssues } from "./issue-requests.ts";

interface AcceptTaskFormProps {
  readonly issue: Issue;
  readonly onClose: () => void;
}

/** Makes the suggested task an active one. */
export function AcceptTaskForm({ issue, onClose }: AcceptTaskFormProps) {
  const navigate = useNavigate();
  const topics = useTopicChoices();
  const [title, setTitle] = useState(issue.title);
  const [description, setDescription] = useState(issue.description ?? "");
  const [topicId, setTopicId] = useState(issue.topicId);
  const { mutate, isPending, error } = useChange(acceptTask, {
    refreshes: [...refreshedByIssues, ...refreshedByTasks],
    onDone: ({ task }) => void navigate({ to: "/tasks/$taskId", params: { taskId: task.id } }),
  });
  const issues = issuesByField(error);
  return (
    <FormModal
      title="Take over the task"
      submitLabel="Take over"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ id: issue.id, title, description, topicId })}
      isSaving={isPending}
      error={error}
    >
      <TextField label="Title" required data-autofocus value={title} error={issues.title} onChange={setTitle} />
      <LongTextField
        label="Description"
        required
        value={description}
        error={issues.description}
        onChange={setDescription}
      />
      <Select
        label="Topic"
        searchable
        clearable
        clearButtonProps={{ "aria-label": "No topic" }}
        data={topics}
        value={topicId}
        error={issues.topicId}
        onChange={setTopicId}
      />
    </FormModal>
  );
}
