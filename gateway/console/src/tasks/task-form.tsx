// Form to create or edit a task.

import { Checkbox, Select, Textarea, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useTopics } from "../topics/topic-names.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { Picker } from "../ui/pick/picker.tsx";
import { type ExampleDraft, formatExample, toExampleDraft, toExamples } from "./example-draft.ts";
import { ExampleList } from "./example-list.tsx";
import { createTask, refreshedByTasks, type Task, updateTask } from "./task-requests.ts";

interface TaskFormProps {
  /** Task to edit. Undefined creates one. */
  readonly task?: Loaded<{ readonly task: Task }>;
  /** Topic that is selected for a new task. */
  readonly topicId?: string;
  readonly onClose: () => void;
}

const statuses = [
  { value: "ACTIVE", label: "Active" },
  { value: "DRAFT", label: "Draft" },
] as const;
const types = [
  { value: "NORMAL", label: "Generated from the description" },
  { value: "STATIC", label: "Fixed list of prompts" },
] as const;

interface TaskDraft {
  readonly title: string;
  readonly description: string;
  readonly topicId: string | null;
  readonly type: Task["type"];
  readonly status: "ACTIVE" | "DRAFT";
  readonly examples: readonly ExampleDraft[];
  readonly isVerified: boolean;
  readonly isArchived: boolean;
}

const field = fieldFor<TaskDraft>();

const toDraft = ({ title, description, topicId, type, status, examples, isVerified }: Task): TaskDraft => ({
  title,
  description: description ?? "",
  topicId,
  type,
  examples: examples.map(toExampleDraft),
  isVerified,
  status: status === "DRAFT" ? "DRAFT" : "ACTIVE",
  isArchived: status === "ARCHIVED",
});

/** Builds the fields that create and update requests share. */
function toBody({ title, description, topicId, status, examples }: TaskDraft) {
  return {
    title,
    description,
    status,
    examples: toExamples(examples),
    // Omit the topic if none is selected, because null would not clear the topic.
    ...(topicId !== null && { topicId }),
  };
}

export function TaskForm({ task, topicId, onClose }: TaskFormProps) {
  const navigate = useNavigate();
  const storedTopic = task?.body.task.topicId;
  const topics = useTopics("", storedTopic == null ? [] : [storedTopic]).choices;
  const edit = useEdit({
    loaded: task,
    newDraft: (): TaskDraft => ({
      title: "",
      description: "",
      topicId: topicId ?? null,
      examples: [],
      type: "NORMAL",
      status: "ACTIVE",
      isVerified: false,
      isArchived: false,
    }),
    create: (draft) => createTask({ ...toBody(draft), type: draft.type }),
    onCreated: (created) => void navigate({ to: "/tasks/$taskId", params: { taskId: created.task.id } }),
    toDraft: (body) => toDraft(body.task),
    fields: [
      field("title", "Title"),
      field("description", "Description"),
      field("topicId", "Topic", chosenFrom(topics)),
      field("examples", "Prompts", (examples) => examples.map(formatExample).join("\n")),
      field("status", "Status", words),
      field("isArchived", "Archived"),
      field("isVerified", "Verified by a person"),
    ],
    makeRequest: (draft, body) => updateTask({ id: body.task.id, ...toBody(draft), isVerified: draft.isVerified }),
    refreshes: refreshedByTasks,
    onSaved: onClose,
  });
  return (
    <FormModal title={task === undefined ? "New task" : "Edit task"} size="lg" {...edit.modal} onClose={onClose}>
      <TextInput label="Title" data-autofocus required {...edit.input("title")} />
      <Textarea label="Description" required autosize minRows={2} maxRows={10} {...edit.input("description")} />
      <Picker
        label="Topic"
        placeholder="None"
        source={useTopics}
        clearable={task === undefined}
        clearButtonProps={{ "aria-label": "No topic" }}
        {...edit.input("topicId")}
      />
      {task === undefined && <Select label="Type" allowDeselect={false} data={types} {...edit.input("type")} />}
      <ExampleList
        examples={edit.draft.examples}
        errors={edit.errors}
        onChange={(examples) => edit.set({ examples })}
      />
      <Select label="Status" allowDeselect={false} data={statuses} {...edit.input("status")} />
      {task !== undefined && <Checkbox label="Verified by a person" {...edit.check("isVerified")} />}
    </FormModal>
  );
}
