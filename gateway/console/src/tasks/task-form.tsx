// Creates a task, or changes one.

import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
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
    create: (draft) => createTask({ ...bodyOf(draft), type: draft.type }),
    onCreated: (created) => void navigate({ to: "/tasks/$taskId", params: { taskId: created.task.id } }),
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
  return (
    <FormModal title={task === undefined ? "New task" : "Edit task"} size="lg" {...edit.modal} onClose={onClose}>
      <TextInput label="Title" data-autofocus required {...edit.input("title")} />
      <Textarea label="Description" required autosize minRows={2} maxRows={10} {...edit.input("description")} />
      <Select
        label="Topic"
        placeholder="None"
        searchable
        clearable={task === undefined}
        clearButtonProps={{ "aria-label": "No topic" }}
        data={topics}
        {...edit.input("topicId")}
      />
      {task === undefined && <Select label="Type" allowDeselect={false} data={types} {...edit.input("type")} />}
      <TextList
        label="Prompts"
        description="What the application is asked, one test each"
        itemLabel="Prompt"
        values={edit.draft.inputExamples}
        error={edit.errors.inputExamples}
        onChange={(inputExamples) => edit.set({ inputExamples })}
      />
      <Select label="Status" allowDeselect={false} data={statuses} {...edit.input("status")} />
      {task !== undefined && <Checkbox label="A person has verified it" {...edit.check("isVerified")} />}
    </FormModal>
  );
}
