// Creates a topic, or changes one.

import { Checkbox, NumberInput, Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { TextField } from "../ui/text-field.tsx";
import { createTopic, refreshedByTopics, type Topic, updateTopic } from "./topic-requests.ts";

interface TopicFormProps {
  /** The topic to change; a new one when absent. */
  readonly topic?: Loaded<{ readonly data: Topic }>;
  readonly onClose: () => void;
}

const statuses = [
  { value: "ACTIVE", label: "Active" },
  { value: "DRAFT", label: "Draft" },
] as const;

const draftOf = ({ title, status, baseline, isInScope, isTasksVerified }: Topic) => ({
  title,
  baseline,
  isInScope,
  isTasksVerified,
  isArchived: status === "ARCHIVED",
  status: status === "DRAFT" ? ("DRAFT" as const) : ("ACTIVE" as const),
});
type TopicDraft = ReturnType<typeof draftOf>;
const newDraft: TopicDraft = {
  title: "",
  status: "ACTIVE",
  baseline: null,
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
  field("isTasksVerified", "A person has verified its tasks"),
];

export function TopicForm({ topic, onClose }: TopicFormProps) {
  const navigate = useNavigate();
  const creation = useChange(createTopic, {
    refreshes: refreshedByTopics,
    onDone: ({ data }) => void navigate({ to: "/topics/$topicId", params: { topicId: data.id } }),
  });
  const edit = useEdit({
    loaded: topic,
    newDraft: () => newDraft,
    draftOf: ({ data }) => draftOf(data),
    fields,
    makeRequest: (draft, { data: { id } }) => {
      const { isArchived: _, ...body } = draft;
      return updateTopic({ id, ...body });
    },
    refreshes: refreshedByTopics,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const { error, isPending } = topic === undefined ? creation : edit;
  const issues = issuesByField(error);
  const save = () => {
    const { title, status, baseline } = draft;
    if (topic === undefined) creation.mutate({ title, status, ...(baseline !== null && { baseline }) });
    else edit.save();
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
      edit={edit.view}
    >
      <TextField
        label="Title"
        data-autofocus
        required
        value={draft.title}
        error={issues.title}
        onChange={(title) => set({ title })}
      />
      <Select
        label="Status"
        data={statuses}
        allowDeselect={false}
        value={draft.status}
        error={issues.status}
        onChange={(value) => set({ status: value === "DRAFT" ? "DRAFT" : "ACTIVE" })}
      />
      <NumberInput
        label="Baseline"
        description="A score to compare with"
        size="sm"
        decimalScale={6}
        value={draft.baseline ?? ""}
        error={issues.baseline}
        onChange={(value) => set({ baseline: typeof value === "number" ? value : null })}
      />
      {topic !== undefined && (
        <>
          <Checkbox
            label="In scope: the application should handle it"
            checked={draft.isInScope}
            onChange={(event) => set({ isInScope: event.currentTarget.checked })}
          />
          <Checkbox
            label="A person has verified its tasks"
            checked={draft.isTasksVerified}
            onChange={(event) => set({ isTasksVerified: event.currentTarget.checked })}
          />
        </>
      )}
    </FormModal>
  );
}
