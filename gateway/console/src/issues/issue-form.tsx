// A new issue, or one that somebody works on.

import { Select } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { useUserChoices } from "../settings/user-choices.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { createIssue, type Issue, priorities, refreshedByIssues, updateIssue } from "./issue-requests.ts";

interface IssueFormProps {
  /** The one to change; a new one when absent. */
  readonly issue?: Issue;
  readonly onClose: () => void;
}

export function IssueForm({ issue, onClose }: IssueFormProps) {
  const navigate = useNavigate();
  const users = useUserChoices();
  const [title, setTitle] = useState(issue?.title ?? "");
  const [description, setDescription] = useState(issue?.description ?? "");
  const [comment, setComment] = useState(issue?.comment ?? "");
  const [priority, setPriority] = useState<Issue["priority"]>(issue?.priority ?? "MEDIUM");
  const [assignedTo, setAssignedTo] = useState(issue?.assignedTo ?? null);
  const created = useChange(createIssue, {
    refreshes: refreshedByIssues,
    onDone: () => {
      onClose();
      void navigate({ to: "/issues" });
    },
  });
  const updated = useChange(updateIssue, { refreshes: refreshedByIssues, onDone: onClose });
  const error = created.error ?? updated.error;
  const issues = issuesByField(error);
  const save = () => {
    const body = { title, description: description === "" ? null : description, priority };
    if (issue === undefined) created.mutate({ ...body, source: "API" });
    else updated.mutate({ id: issue.id, ...body, assignedTo, comment: comment === "" ? null : comment });
  };
  return (
    <FormModal
      title={issue === undefined ? "New issue" : "Edit issue"}
      submitLabel={issue === undefined ? "Create" : "Save"}
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={created.isPending || updated.isPending}
      error={error}
    >
      <TextField label="Title" required data-autofocus value={title} error={issues.title} onChange={setTitle} />
      <LongTextField label="Description" value={description} error={issues.description} onChange={setDescription} />
      <Select
        label="Priority"
        allowDeselect={false}
        data={priorities.map((value) => ({ value, label: words(value) }))}
        value={priority}
        onChange={(value) => setPriority(priorities.find((each) => each === value) ?? "MEDIUM")}
      />
      {issue !== undefined && (
        <>
          <Select
            label="Assigned to"
            searchable
            clearable
            clearButtonProps={{ "aria-label": "Nobody" }}
            data={users}
            value={assignedTo}
            error={issues.assignedTo}
            onChange={setAssignedTo}
          />
          <LongTextField label="Comment" value={comment} error={issues.comment} onChange={setComment} />
        </>
      )}
    </FormModal>
  );
}
