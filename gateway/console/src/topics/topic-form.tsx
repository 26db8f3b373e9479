// Form to create or edit a topic.

import { Checkbox, NumberInput, Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { TextField } from "../ui/text-field.tsx";
import { createTopic, refreshedByTopics, type Topic, updateTopic } from "./topic-requests.ts";

interface TopicFormProps {
  /** Topic to edit. Undefined creates one. */
  readonly topic?: Loaded<{ readonly data: Topic }>;
  readonly onClose: () => void;
}

const statuses = [
  { value: "ACTIVE", label: "Active" },
  { value: "DRAFT", label: "Draft" },
] as const;

const toDraft = ({ title, status, baseline, isInScope, isTasksVerified }: Topic) => ({
  title,
  baseline: baseline ?? "",
  isInScope,
  isTasksVerified,
  isArchived: status === "ARCHIVED",
  status: status === "DRAFT" ? ("DRAFT" as const) : ("ACTIVE" as const),
});
type TopicDraft = ReturnType<typeof toDraft>;
const newDraft: TopicDraft = {
  title: "",
  status: "ACTIVE",
  baseline: "",
  isInScope: true,
  isTasksVerified: false,
  isArchived: false,
};

const field = fieldFor<TopicDraft>();
const fields = [
  field("title", "Title"),
  field("status", "Status", words),
  field("isArchived", "Archived"),
  field("baseline", "Baseline"),
  field("isInScope", "In scope"),
  field("isTasksVerified", "Tasks verified by a person"),
];

export function TopicForm({ topic, onClose }: TopicFormProps) {
  const navigate = useNavigate();
  const edit = useEdit({
    loaded: topic,
    newDraft: () => newDraft,
    create: ({ title, status, baseline }) =>
      createTopic({ title, status, ...(typeof baseline === "number" && { baseline }) }),
    onCreated: ({ data }) => void navigate({ to: "/topics/$topicId", params: { topicId: data.id } }),
    toDraft: ({ data }) => toDraft(data),
    fields,
    makeRequest: ({ isArchived: _, baseline, ...draft }, { data: { id } }) =>
      updateTopic({ id, ...draft, baseline: typeof baseline === "number" ? baseline : null }),
    refreshes: refreshedByTopics,
    onSaved: onClose,
  });
  return (
    <FormModal title={topic === undefined ? "New topic" : "Edit topic"} {...edit.modal} onClose={onClose}>
      <TextField label="Title" data-autofocus required {...edit.input("title")} />
      <Select label="Status" data={statuses} allowDeselect={false} {...edit.input("status")} />
      <NumberInput
        label="Baseline"
        description="Reference score"
        size="sm"
        decimalScale={6}
        {...edit.input("baseline")}
      />
      {topic !== undefined && (
        <>
          <Checkbox label="In scope: the application should handle it" {...edit.check("isInScope")} />
          <Checkbox label="Tasks verified by a person" {...edit.check("isTasksVerified")} />
        </>
      )}
    </FormModal>
  );
}
