// Form to create or edit an experiment. Steps and tasks cannot change after the baseline has started.

import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { readAll } from "../api/query.ts";
import { chosenFrom, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { getTask, listTasks } from "../tasks/task-requests.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { words } from "../ui/format.ts";
import { pageMax, pickFrom } from "../ui/pick/found.ts";
import { MultiPicker } from "../ui/pick/picker.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import {
  allInferenceSteps,
  createExperiment,
  type Experiment,
  refreshedByExperiments,
  updateExperiment,
} from "./experiment-requests.ts";
import { experimentStatuses } from "./experiment-search.ts";

interface ExperimentFormProps {
  /** Experiment to edit. Undefined creates one. */
  readonly experiment?: Loaded<{ readonly data: Experiment }>;
  /** True if the experiment has variants, which determine its status. */
  readonly hasVariants?: boolean;
  /** True after the baseline has started: steps and tasks cannot change. */
  readonly isLocked?: boolean;
  readonly onClose: () => void;
}

const useTasks = pickFrom({
  search: (search) => listTasks({ search, limit: pageMax, orderBy: "title", orderDir: "asc" }),
  get: getTask,
  toRow: ({ task }): { readonly id: string; readonly title: string } => task,
  toChoice: ({ id, title }) => ({ value: id, label: title }),
});

const toDraft = ({ title, description, assignee, status, inferenceStepIds, taskIds }: Experiment) => ({
  title,
  description,
  assignee: assignee ?? "",
  status,
  inferenceStepIds,
  taskIds,
});
type ExperimentDraft = ReturnType<typeof toDraft>;
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
  const steps = useSteps();
  const tasks = useTasks("", experiment?.body.data.taskIds ?? []).choices;
  const edit = useEdit({
    loaded: experiment,
    newDraft: () => newDraft,
    create: ({ status: _, assignee, ...draft }) =>
      createExperiment({ ...draft, ...(assignee.trim() !== "" && { assignee: assignee.trim() }) }),
    onCreated: ({ data }) => void navigate({ to: "/experiments/$experimentId", params: { experimentId: data.id } }),
    toDraft: ({ data }) => toDraft(data),
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
  const stored = experiment?.body.data;
  return (
    <FormModal
      title={stored === undefined ? "New experiment" : "Edit experiment"}
      size="lg"
      {...edit.modal}
      onClose={onClose}
    >
      <TextField label="Title" data-autofocus required {...edit.input("title")} />
      <LongTextField label="Description" {...edit.input("description")} />
      {!isLocked && (
        <>
          <MultiSelect
            label="Inference steps"
            description="Steps that the variants change"
            searchable
            data={steps}
            {...edit.input("inferenceStepIds")}
            nothingFoundMessage="No inference steps. Create one with POST /v0/inference-steps"
          />
          <MultiPicker
            label="Tasks"
            description="Tasks that each variant runs"
            source={useTasks}
            {...edit.input("taskIds")}
            nothingFoundMessage="No matching task"
          />
        </>
      )}
      {stored !== undefined && (
        <Select
          label="Status"
          description={hasVariants ? "Set by the variants, except Archived" : "Can only move forward"}
          allowDeselect={false}
          data={experimentStatuses.map((value) => ({
            value,
            label: words(value),
            disabled:
              experimentStatuses.indexOf(value) < experimentStatuses.indexOf(stored.status) ||
              (hasVariants && value !== stored.status && value !== "ARCHIVED"),
          }))}
          {...edit.input("status")}
        />
      )}
      <TextField label="Assignee" description="User id" {...edit.input("assignee")} />
    </FormModal>
  );
}

function useSteps() {
  const { data = [] } = useQuery(readAll(allInferenceSteps));
  return data.map(({ id, title }) => ({ value: id, label: title }));
}
