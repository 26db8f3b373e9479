// Creates a topic, or changes one.

import { Checkbox, NumberInput, Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";
import { createTopic, refreshedByTopics, type Topic, updateTopic } from "./topic-requests.ts";

interface TopicFormProps {
  /** The topic to change; a new one when absent. */
  readonly topic?: Topic;
  readonly onClose: () => void;
}

const statuses = [
  { value: "ACTIVE", label: "Active" },
  { value: "DRAFT", label: "Draft" },
] as const;

export function TopicForm({ topic, onClose }: TopicFormProps) {
  const navigate = useNavigate();
  const [title, setTitle] = useState(topic?.title ?? "");
  const [status, setStatus] = useState<"ACTIVE" | "DRAFT">(topic?.status === "DRAFT" ? "DRAFT" : "ACTIVE");
  const [baseline, setBaseline] = useState<number | null>(topic?.baseline ?? null);
  const [isInScope, setInScope] = useState(topic?.isInScope ?? true);
  const [isTasksVerified, setTasksVerified] = useState(topic?.isTasksVerified ?? false);
  const creation = useChange(createTopic, {
    refreshes: refreshedByTopics,
    onDone: ({ data }) => void navigate({ to: "/topics/$topicId", params: { topicId: data.id } }),
  });
  const change = useChange(updateTopic, { refreshes: refreshedByTopics, onDone: onClose });
  const { error, isPending } = topic === undefined ? creation : change;
  const issues = issuesByField(error);
  const save = () => {
    if (topic === undefined) creation.mutate({ title, status, ...(baseline !== null && { baseline }) });
    else change.mutate({ id: topic.id, title, status, baseline, isInScope, isTasksVerified });
  };
  return (
    <FormModal
      title={topic === undefined ? "New topic" : "Edit topic"}
      submitLabel={topic === undefined ? "Create" : "Save"}
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <TextField label="Title" data-autofocus required value={title} error={issues.title} onChange={setTitle} />
      <Select
        label="Status"
        data={statuses}
        allowDeselect={false}
        value={status}
        error={issues.status}
        onChange={(value) => setStatus(value === "DRAFT" ? "DRAFT" : "ACTIVE")}
      />
      <NumberInput
        label="Baseline"
        description="A score to compare with"
        size="sm"
        decimalScale={6}
        value={baseline ?? ""}
        error={issues.baseline}
        onChange={(value) => setBaseline(typeof value === "number" ? value : null)}
      />
      {topic !== undefined && (
        <>
          <Checkbox
            label="In scope: the application should handle it"
            checked={isInScope}
            onChange={(event) => setInScope(event.currentTarget.checked)}
          />
          <Checkbox
            label="A person has verified its tasks"
            checked={isTasksVerified}
            onChange={(event) => setTasksVerified(event.currentTarget.checked)}
          />
        </>
      )}
    </FormModal>
  );
}
