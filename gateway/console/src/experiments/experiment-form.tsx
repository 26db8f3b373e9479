// Creates an experiment, or changes one. Steps and tasks are chosen until its baseline is started.

import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { listTasks } from "../tasks/task-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import {
  createExperiment,
  type Experiment,
  firstInferenceSteps,
  refreshedByExperiments,
  updateExperiment,
} from "./experiment-requests.ts";
import { experimentStatuses } from "./experiment-search.ts";

interface ExperimentFormProps {
  /** The experiment to change; a new one when absent. */
  readonly experiment?: Loaded<{ readonly data: Experiment }>;
  /** Then its status follows from what happens to them. */
  readonly hasVariants?: boolean;
  /** Whether the baseline was started: what it was measured with stays. */
  readonly isLocked?: boolean;
  readonly onClose: () => void;
}

const firstTasks = listTasks({ limit: 100, orderBy: "title", orderDir: "asc" });

const draftOf = ({ title, description, assignee, status, inferenceStepIds, taskIds }: Experiment) => ({
  title,
  description,
  assignee: assignee ?? "",
  status,
  inferenceStepIds,
  taskIds,
});
type ExperimentDraft = ReturnType<typeof draftOf>;
const newDraft: ExperimentDraft = {
  title: "",
  description: "",
  assignee: "",
  status: "DRAFT",
  inferenceStepIds: [],
  taskIds: [],
};
const field = fieldFor<ExperimentDraft>();

export function ExperimentForm({ experiment, hasVariants = false, isLocked = false, onClose }: ExperimentFormProps) {
  const navigate = useNavigate();
  const { steps, tasks } = useChoices();
  const creation = useChange(createExperiment, {
    refreshes: refreshedByExperiments,
    onDone: ({ data }) => void navigate({ to: "/experiments/$experimentId", params: { experimentId: data.id } }),
  });
  const edit = useEdit({
    loaded: experiment,
    newDraft: () => newDraft,
    draftOf: ({ data }) => draftOf(data),
    fields: [
      field("title", "Title"),
      field("description", "Description"),
      ...(isLocked
        ? []
        : [
            field("inferenceStepIds", "Inference steps", chosenFrom(steps)),
            field("taskIds", "Tasks", chosenFrom(tasks)),
          ]),
      field("status", "Status", words),
      field("assignee", "Assignee"),
    ],
    makeRequest: ({ inferenceStepIds, taskIds, assignee, ...draft }, { data: { id } }) =>
      updateExperiment({
        id,
        ...draft,
        assignee: assignee.trim() === "" ? null : assignee.trim(),
        ...(!isLocked && { inferenceStepIds, taskIds }),
      }),
    refreshes: refreshedByExperiments,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const stored = experiment?.body.data;
  const { error, isPending } = stored === undefined ? creation : edit;
  const issues = issuesByField(error);
  const save = () => {
    if (stored !== undefined) return edit.save();
    const { title, description, inferenceStepIds, taskIds } = draft;
    const assignee = draft.assignee.trim();
    creation.mutate({ title, description, inferenceStepIds, taskIds, ...(assignee !== "" && { assignee }) });
  };
  return (
    <FormModal
      title={stored === undefined ? "New experiment" : "Edit experiment"}
      submitLabel={stored === undefined ? "Create" : "Save"}
      size="lg"
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
      <LongTextField
        label="Description"
        value={draft.description}
        error={issues.description}
        onChange={(description) => set({ description })}
      />
      {!isLocked && (
        <>
          <MultiSelect
            label="Inference steps"
            description="What the experiment changes"
            searchable
            data={steps}
            value={draft.inferenceStepIds}
            error={issues.inferenceStepIds}
            nothingFoundMessage="No inference step: POST /v0/inference-steps creates one"
            onChange={(inferenceStepIds) => set({ inferenceStepIds })}
          />
          <MultiSelect
            label="Tasks"
            description="What the experiment runs"
            searchable
            data={tasks}
            value={draft.taskIds}
            error={issues.taskIds}
            nothingFoundMessage="No such task"
            onChange={(taskIds) => set({ taskIds })}
          />
        </>
      )}
      {stored !== undefined && (
        <Select
          label="Status"
          description={hasVariants ? "It follows from the variants, but for the archive" : "It only moves forward"}
          allowDeselect={false}
          data={experimentStatuses.map((value) => ({
            value,
            label: words(value),
            disabled:
              experimentStatuses.indexOf(value) < experimentStatuses.indexOf(stored.status) ||
              (hasVariants && value !== stored.status && value !== "ARCHIVED"),
          }))}
          value={draft.status}
          error={issues.status}
          onChange={(value) => set({ status: experimentStatuses.find((each) => each === value) ?? draft.status })}
        />
      )}
      <TextField
        label="Assignee"
        description="A user's id"
        value={draft.assignee}
        error={issues.assignee}
        onChange={(assignee) => set({ assignee })}
      />
    </FormModal>
  );
}

function useChoices() {
  const steps = useQuery(read(firstInferenceSteps)).data?.data ?? [];
  const tasks = useQuery(read(firstTasks)).data?.data ?? [];
  const choice = ({ id, title }: { readonly id: string; readonly title: string }) => ({ value: id, label: title });
  return { steps: steps.map(choice), tasks: tasks.map(choice) };
}
