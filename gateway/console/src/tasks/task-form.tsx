// Creates a task, or changes one.

import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useTopicChoices } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { TextList } from "../ui/text-list.tsx";
import { createTask, refreshedByTasks, type Task, updateTask } from "./task-requests.ts";

interface TaskFormProps {
  /** The task to change; a new one when absent. */
  readonly task?: Loaded<{ readonly task: Task }>;
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

interface TaskDraft {
  readonly title: string;
  readonly description: string;
  readonly topicId: string | null;
  readonly type: Task["type"];
  readonly status: "ACTIVE" | "DRAFT";
  readonly inputExamples: string[];
  readonly isVerified: boolean;
  readonly isArchived: boolean;
}

const field = fieldFor<TaskDraft>();

const draftOf = ({ title, description, topicId, type, status, inputExamples, isVerified }: Task): TaskDraft => ({
  title,
  description: description ?? "",
  topicId,
  type,
  inputExamples,
  isVerified,
  status: status === "DRAFT" ? "DRAFT" : "ACTIVE",
  isArchived: status === "ARCHIVED",
});

/** What requests of new and of changed tasks have in common. */
function bodyOf({ title, description, topicId, status, inputExamples }: TaskDraft) {
  return {
    title,
    description,
    status,
    inputExamples: inputExamples.filter((example) => example.trim() !== ""),
    // A task of no topic stays so when it is changed: null would not clear it.
    ...(topicId !== null && { topicId }),
  };
}

export function TaskForm({ task, topicId, onClose }: TaskFormProps) {
  const navigate = useNavigate();
  const topics = useTopicChoices();
  const creation = useChange(createTask, {
    refreshes: refreshedByTasks,
    onDone: (created) => void navigate({ to: "/tasks/$taskId", params: { taskId: created.task.id } }),
  });
  const edit = useEdit({
    loaded: task,
    newDraft: (): TaskDraft => ({
      title: "",
      description: "",
      topicId: topicId ?? null,
      inputExamples: [],
      type: "NORMAL",
      status: "ACTIVE",
      isVerified: false,
      isArchived: false,
    }),
    draftOf: (body) => draftOf(body.task),
    fields: [
      field("title", "Title"),
      field("description", "Description"),
      field("topicId", "Topic", chosenFrom(topics)),
      field("inputExamples", "Prompts"),
      field("status", "Status", words),
      field("isArchived", "Archived"),
      field("isVerified", "A person has verified it"),
    ],
    makeRequest: (draft, body) => updateTask({ id: body.task.id, ...bodyOf(draft), isVerified: draft.isVerified }),
    refreshes: refreshedByTasks,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const { error, isPending } = task === undefined ? creation : edit;
  const issues = issuesByField(error);
  const save = () => (task === undefined ? creation.mutate({ ...bodyOf(draft), type: draft.type }) : edit.save());
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
      edit={edit.view}
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
        onChange={(value) => set({ status: value === "DRAFT" ? "DRAFT" : "ACTIVE" })}
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
