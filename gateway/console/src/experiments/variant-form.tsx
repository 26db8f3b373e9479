// Creates a variant: the baseline with all that is set, any other one with the parameter that it changes.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { readConfig, readValue } from "./configs.ts";
import { type Experiment, firstInferenceSteps, refreshedByExperiments } from "./experiment-requests.ts";
import { type ParameterDraft, ParameterFields } from "./parameter-fields.tsx";
import { createVariant, type Variant } from "./variant-requests.ts";

interface VariantFormProps {
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  /** Undefined before there is one: then it is what is created. */
  readonly baseline: Variant | undefined;
  readonly onClose: () => void;
}

export function VariantForm({ experiment, variants, baseline, onClose }: VariantFormProps) {
  const steps = useSteps(experiment);
  const [title, setTitle] = useState(baseline === undefined ? "Baseline" : "");
  const [description, setDescription] = useState("");
  const [config, setConfig] = useState<string>();
  const [draft, setDraft] = useState<ParameterDraft>({
    parentId: baseline?.id ?? "",
    name: "",
    kind: "text",
    text: "",
  });
  const [fault, setFault] = useState<string>();
  const { mutate, isPending, error } = useChange(createVariant, { refreshes: refreshedByExperiments, onDone: onClose });
  const issues = issuesByField(error);
  const configFault = fault ?? Object.entries(issues).find(([path]) => path.startsWith("configPatch"))?.[1];
  const typed = config ?? JSON.stringify(Object.fromEntries(steps.map(({ value }) => [value, {}])), null, 2);
  const step = draft.step ?? steps[0]?.value;
  const save = () => {
    const value = readValue(draft.text, draft.kind);
    const patch = value && (step === undefined ? {} : { [step]: { [draft.name]: value.value } });
    const configPatch = baseline === undefined ? readConfig(typed) : patch;
    setFault(configPatch === undefined ? "This is not JSON" : undefined);
    if (configPatch === undefined) return;
    const parent = baseline === undefined ? {} : { parentId: draft.parentId };
    mutate({ experimentId: experiment.id, title, description, configPatch, ...parent });
  };
  return (
    <FormModal
      title={baseline === undefined ? "New baseline" : "New variant"}
      submitLabel="Create"
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <TextField label="Title" data-autofocus required value={title} error={issues.title} onChange={setTitle} />
      <LongTextField
        label="Description"
        autosize
        maxRows={10}
        value={description}
        error={issues.description}
        onChange={setDescription}
      />
      {baseline === undefined ? (
        <LongTextField
          label="Configuration"
          description="All that is set today: an object of parameters, by the inference step's id in the application"
          autosize
          minRows={5}
          maxRows={20}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={typed}
          error={configFault}
          onChange={setConfig}
        />
      ) : (
        <ParameterFields
          variants={variants}
          steps={steps}
          draft={{ ...draft, step }}
          error={configFault}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        />
      )}
    </FormModal>
  );
}

/** The experiment's steps that the application knows by an id: others cannot be configured. */
function useSteps({ inferenceStepIds }: Experiment): { value: string; label: string }[] {
  const { data } = useQuery(read(firstInferenceSteps));
  return (data?.data ?? []).flatMap(({ id, title, externalId }) =>
    externalId !== null && inferenceStepIds.includes(id)
      ? [{ value: externalId, label: `${title} (${externalId})` }]
      : [],
  );
}
