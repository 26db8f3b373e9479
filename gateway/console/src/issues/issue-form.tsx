// Form to create or edit an issue.

import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { useUsers } from "../settings/user-choices.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { Picker } from "../ui/pick/picker.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { createIssue, type Issue, priorities, refreshedByIssues, updateIssue } from "./issue-requests.ts";

interface IssueFormProps {
  /** Issue to edit. Undefined creates one. */
  readonly issue?: Loaded<{ readonly data: Issue }>;
  readonly onClose: () => void;
}

const toDraft = ({ title, description, comment, priority, assignedTo }: Issue) => ({
  title,
  description: description ?? "",
  comment: comment ?? "",
  priority,
  assignedTo,
});
type IssueDraft = ReturnType<typeof toDraft>;
const newDraft: IssueDraft = { title: "", description: "", comment: "", priority: "MEDIUM", assignedTo: null };
const field = fieldFor<IssueDraft>();
const orNull = (text: string) => (text === "" ? null : text);

export function IssueForm({ issue, onClose }: IssueFormProps) {
  const navigate = useNavigate();
  const assignee = issue?.body.data.assignedTo;
  const users = useUsers("", assignee == null ? [] : [assignee]).choices;
  const edit = useEdit({
    loaded: issue,
    newDraft: () => newDraft,
    create: ({ title, description, priority }) =>
      createIssue({ title, description: orNull(description), priority, source: "API" }),
    onCreated: () => {
      onClose();
      void navigate({ to: "/issues" });
    },
    toDraft: ({ data }) => toDraft(data),
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
  return (
    <FormModal title={issue === undefined ? "New issue" : "Edit issue"} {...edit.modal} onClose={onClose}>
      <TextField label="Title" required data-autofocus {...edit.input("title")} />
      <LongTextField label="Description" {...edit.input("description")} />
      <Select
        label="Priority"
        allowDeselect={false}
        data={priorities.map((value) => ({ value, label: words(value) }))}
        {...edit.input("priority")}
      />
      {issue !== undefined && (
        <>
          <Picker
            label="Assigned to"
            source={useUsers}
            clearable
            clearButtonProps={{ "aria-label": "Unassign" }}
            {...edit.input("assignedTo")}
          />
          <LongTextField label="Comment" {...edit.input("comment")} />
        </>
      )}
    </FormModal>
  );
}
