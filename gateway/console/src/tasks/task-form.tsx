// Creates a task, or changes one.

import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { TextList } from "../ui/text-list.tsx";
import { createTask, refreshedByTasks, type Task, updateTask } from "./task-requests.ts";

interface TaskFormProps {
  /** The task to change; a new one when absent. */
  readonly task?: Task;
  /** The topic of a new task. */
  readonly topicId?: string;
  readonly onClose: () => void;
}

const statuses = [
  { value: "ACTIVE", label: "Active" },
  { value: "DRAFT", label: "Draft" },
] as const;
const types = [
  { value: "NORMAL", label: "Normal: examples, or a prompt made of the description" },
  { value: "STATIC", label: "Static: each example is a prompt as it is" },
] as const;

export function TaskForm({ task, topicId, onClose }: TaskFormProps) {
  const navigate = useNavigate();
  const topics = useTopicChoices();
  const [draft, setDraft] = useState(() => ({
    title: task?.title ?? "",
    description: task?.description ?? "",
    topicId: task?.topicId ?? topicId ?? null,
    type: task?.type ?? "NORMAL",
    status: task?.status === "DRAFT" ? "DRAFT" : "ACTIVE",
    inputExamples: task?.inputExamples ?? [],
    isVerified: task?.isVerified ?? false,
  }));
  const set = (change: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...change }));
  const creation = useChange(createTask, {
    refreshes: refreshedByTasks,
    onDone: (created) => void navigate({ to: "/tasks/$taskId", params: { taskId: created.task.id } }),
  });
  const change = useChange(updateTask, { refreshes: refreshedByTasks, onDone: onClose });
  const { error, isPending } = task === undefined ? creation : change;
  const issues = issuesByField(error);
  const save = () => {
    const status = draft.status === "DRAFT" ? "DRAFT" : "ACTIVE";
    const inputExamples = draft.inputExamples.filter((example) => example.trim() !== "");
    const { title, description } = draft;
    // A task of no topic stays so when it is changed: null would not clear it.
    const topic = draft.topicId === null ? {} : { topicId: draft.topicId };
    if (task === undefined) {
      creation.mutate({ title, description, status, inputExamples, ...topic, type: draft.type });
    } else
      change.mutate({ id: task.id, title, description, status, inputExamples, ...topic, isVerified: draft.isVerified });
  };
  return (
    <FormModal
      title={task === undefined ? "New task" : "Edit task"}
      submitLabel={task === undefined ? "Create" : "Save"}
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <TextInput
        label="Title"
        data-autofocus
        required
        value={draft.title}
        error={issues.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <Textarea
        label="Description"
        required
        autosize
        minRows={2}
        maxRows={10}
        value={draft.description}
        error={issues.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <Select
        label="Topic"
        placeholder="None"
        searchable
        clearable={task === undefined}
        clearButtonProps={{ "aria-label": "No topic" }}
        data={topics}
        value={draft.topicId}
        error={issues.topicId}
        onChange={(value) => set({ topicId: value })}
      />
      {task === undefined && (
        <Select
          label="Type"
          allowDeselect={false}
          data={types}
          value={draft.type}
          error={issues.type}
          onChange={(value) => set({ type: value === "STATIC" ? "STATIC" : "NORMAL" })}
        />
      )}
      <TextList
        label="Prompts"
        description="What the application is asked, one test each"
        itemLabel="Prompt"
        values={draft.inputExamples}
        error={issues.inputExamples}
        onChange={(inputExamples) => set({ inputExamples })}
      />
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        value={draft.status}
        error={issues.status}
        onChange={(value) => set({ status: value ?? "ACTIVE" })}
      />
      {task !== undefined && (
        <Checkbox
          label="A person has verified it"
          checked={draft.isVerified}
          onChange={(event) => set({ isVerified: event.currentTarget.checked })}
        />
      )}
    </FormModal>
  );
}
