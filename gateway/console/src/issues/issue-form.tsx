// A new issue, or one that somebody works on.

import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { createIssue, type Issue, priorities, refreshedByIssues, updateIssue } from "./issue-requests.ts";

interface IssueFormProps {
  /** The one to change; a new one when absent. */
  readonly issue?: Loaded<{ readonly data: Issue }>;
  readonly onClose: () => void;
}

const draftOf = ({ title, description, comment, priority, assignedTo }: Issue) => ({
  title,
  description: description ?? "",
  comment: comment ?? "",
  priority,
  assignedTo,
});
type IssueDraft = ReturnType<typeof draftOf>;
const newDraft: IssueDraft = { title: "", description: "", comment: "", priority: "MEDIUM", assignedTo: null };
const field = fieldFor<IssueDraft>();
const orNull = (text: string) => (text === "" ? null : text);

export function IssueForm({ issue, onClose }: IssueFormProps) {
  const navigate = useNavigate();
  const users = useUserChoices();
  const created = useChange(createIssue, {
    refreshes: refreshedByIssues,
    onDone: () => {
      onClose();
      void navigate({ to: "/issues" });
    },
  });
  const edit = useEdit({
    loaded: issue,
    newDraft: () => newDraft,
    draftOf: ({ data }) => draftOf(data),
    fields: [
      field("title", "Title"),
      field("description", "Description"),
      field("priority", "Priority", words),
      field("assignedTo", "Assigned to", chosenFrom(users)),
      field("comment", "Comment"),
    ],
    makeRequest: ({ description, comment, ...draft }, { data: { id } }) =>
      updateIssue({ id, ...draft, description: orNull(description), comment: orNull(comment) }),
    refreshes: refreshedByIssues,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const { error, isPending } = issue === undefined ? created : edit;
  const issues = issuesByField(error);
  const save = () => {
    const { title, description, priority } = draft;
    if (issue === undefined) created.mutate({ title, description: orNull(description), priority, source: "API" });
    else edit.save();
  };
  return (
    <FormModal
      title={issue === undefined ? "New issue" : "Edit issue"}
      submitLabel={issue === undefined ? "Create" : "Save"}
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
      edit={edit.view}
    >
      <TextField
        label="Title"
        required
        data-autofocus
        value={draft.title}
        error={issues.title}
        onChange={(title) => set({ title })}
      />
      <LongTextField
        label="Description"
        value={draft.description}
        error={issues.description}
        onChange={(description) => set({ description })}
      />
      <Select
        label="Priority"
        allowDeselect={false}
        data={priorities.map((value) => ({ value, label: words(value) }))}
        value={draft.priority}
        onChange={(value) => set({ priority: priorities.find((each) => each === value) ?? "MEDIUM" })}
      />
      {issue !== undefined && (
        <>
          <Select
            label="Assigned to"
            searchable
            clearable
            clearButtonProps={{ "aria-label": "Nobody" }}
            data={users}
            value={draft.assignedTo}
            error={issues.assignedTo}
            onChange={(assignedTo) => set({ assignedTo })}
          />
          <LongTextField
            label="Comment"
            value={draft.comment}
            error={issues.comment}
            onChange={(comment) => set({ comment })}
          />
        </>
      )}
    </FormModal>
  );
}
