// Creates an experiment, or changes one. Steps and tasks are chosen until its baseline is started.

import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
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
  readonly experiment?: Experiment;
  /** Then its status follows from what happens to them. */
  readonly hasVariants?: boolean;
  /** Whether the baseline was started: what it was measured with stays. */
  readonly isLocked?: boolean;
  readonly onClose: () => void;
}

const firstTasks = listTasks({ limit: 100, orderBy: "title", orderDir: "asc" });

export function ExperimentForm({ experiment, hasVariants = false, isLocked = false, onClose }: ExperimentFormProps) {
  const navigate = useNavigate();
  const [title, setTitle] = useState(experiment?.title ?? "");
  const [description, setDescription] = useState(experiment?.description ?? "");
  const [assignee, setAssignee] = useState(experiment?.assignee ?? "");
  const [status, setStatus] = useState(experiment?.status ?? "DRAFT");
  const [inferenceStepIds, setSteps] = useState(experiment?.inferenceStepIds ?? []);
  const [taskIds, setTasks] = useState(experiment?.taskIds ?? []);
  const creation = useChange(createExperiment, {
    refreshes: refreshedByExperiments,
    onDone: ({ data }) => void navigate({ to: "/experiments/$experimentId", params: { experimentId: data.id } }),
  });
  const change = useChange(updateExperiment, { refreshes: refreshedByExperiments, onDone: onClose });
  const { error, isPending } = experiment === undefined ? creation : change;
  const issues = issuesByField(error);
  const save = () => {
    const user = assignee.trim();
    if (experiment === undefined)
      creation.mutate({ title, description, inferenceStepIds, taskIds, ...(user !== "" && { assignee: user }) });
    else {
      const chosen = isLocked ? {} : { inferenceStepIds, taskIds };
      change.mutate({ id: experiment.id, title, description, status, assignee: user === "" ? null : user, ...chosen });
    }
  };
  return (
    <FormModal
      title={experiment === undefined ? "New experiment" : "Edit experiment"}
      submitLabel={experiment === undefined ? "Create" : "Save"}
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <TextField label="Title" data-autofocus required value={title} error={issues.title} onChange={setTitle} />
      <LongTextField label="Description" value={description} error={issues.description} onChange={setDescription} />
      {!isLocked && (
        <ChosenFields steps={inferenceStepIds} onSteps={setSteps} tasks={taskIds} onTasks={setTasks} issues={issues} />
      )}
      {experiment !== undefined && (
        <Select
          label="Status"
          description={hasVariants ? "It follows from the variants, but for the archive" : "It only moves forward"}
          allowDeselect={false}
          data={experimentStatuses.map((value) => ({
            value,
            label: words(value),
            disabled:
              experimentStatuses.indexOf(value) < experimentStatuses.indexOf(experiment.status) ||
              (hasVariants && value !== experiment.status && value !== "ARCHIVED"),
          }))}
          value={status}
          error={issues.status}
          onChange={(value) => setStatus(experimentStatuses.find((one) => one === value) ?? status)}
        />
      )}
      <TextField
        label="Assignee"
        description="A user's id"
        value={assignee}
        error={issues.assignee}
        onChange={setAssignee}
      />
    </FormModal>
  );
}

interface ChosenFieldsProps {
  readonly steps: string[];
  readonly onSteps: (ids: string[]) => void;
  readonly tasks: string[];
  readonly onTasks: (ids: string[]) => void;
  readonly issues: Readonly<Record<string, string>>;
}

function ChosenFields({ steps, onSteps, tasks, onTasks, issues }: ChosenFieldsProps) {
  const { data: foundSteps } = useQuery(read(firstInferenceSteps));
  const { data: foundTasks } = useQuery(read(firstTasks));
  const optionsOf = (rows: readonly { id: string; title: string }[] | undefined) =>
    (rows ?? []).map(({ id, title }) => ({ value: id, label: title }));
  return (
    <>
      <MultiSelect
        label="Inference steps"
        description="What the experiment changes"
        searchable
        data={optionsOf(foundSteps?.data)}
        value={steps}
        error={issues.inferenceStepIds}
        nothingFoundMessage="No inference step: POST /v0/inference-steps creates one"
        onChange={onSteps}
      />
      <MultiSelect
        label="Tasks"
        description="What the experiment runs"
        searchable
        data={optionsOf(foundTasks?.data)}
        value={tasks}
        error={issues.taskIds}
        nothingFoundMessage="No such task"
        onChange={onTasks}
      />
    </>
  );
}
