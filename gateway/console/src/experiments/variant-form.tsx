// Creates or changes a variant: the baseline with all that is set, any other one with the parameter that it changes.

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { read, useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { kindOf, parametersOf, readConfig, readValue, textOf } from "./configs.ts";
import { type Experiment, firstInferenceSteps, refreshedByExperiments } from "./experiment-requests.ts";
import { type ParameterDraft, ParameterFields } from "./parameter-fields.tsx";
import { createVariant, updateVariant, type Variant } from "./variant-requests.ts";

interface VariantFormProps {
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  /** Undefined where the form is of the baseline itself. */
  readonly baseline: Variant | undefined;
  /** The one to change; a new one when absent. */
  readonly variant?: Variant;
  readonly onClose: () => void;
}

export function VariantForm({ experiment, variants, baseline, variant, onClose }: VariantFormProps) {
  const steps = useSteps(experiment);
  const [title, setTitle] = useState(variant?.title ?? (baseline === undefined ? "Baseline" : ""));
  const [description, setDescription] = useState(variant?.description ?? "");
  const [config, setConfig] = useState(variant && JSON.stringify(variant.configPatch, null, 2));
  const [draft, setDraft] = useState<ParameterDraft>(() => draftOf(variant, baseline));
  const [fault, setFault] = useState<string>();
  const changed = { refreshes: refreshedByExperiments, onDone: onClose };
  const [created, updated] = [useChange(createVariant, changed), useChange(updateVariant, changed)];
  const error = created.error ?? updated.error;
  const issues = issuesByField(error);
  const isLocked = variant !== undefined && isConfigLocked(variants, variant);
  const configFault = fault ?? Object.entries(issues).find(([path]) => path.startsWith("configPatch"))?.[1];
  const typed = config ?? JSON.stringify(Object.fromEntries(steps.map(({ value }) => [value, {}])), null, 2);
  const step = draft.step ?? steps[0]?.value;
  const save = () => {
    const words = { title, description };
    if (isLocked) return updated.mutate({ experimentId: experiment.id, variantId: variant.id, ...words });
    const value = readValue(draft.text, draft.kind);
    const patch = value && (step === undefined ? {} : { [step]: { [draft.name]: value.value } });
    const configPatch = baseline === undefined ? readConfig(typed) : patch;
    setFault(configPatch === undefined ? "This is not JSON" : undefined);
    if (configPatch === undefined) return;
    if (variant !== undefined)
      return updated.mutate({ experimentId: experiment.id, variantId: variant.id, ...words, configPatch });
    const parent = baseline === undefined ? {} : { parentId: draft.parentId };
    created.mutate({ experimentId: experiment.id, ...words, configPatch, ...parent });
  };
  return (
    <FormModal
      title={variant !== undefined ? `Edit ${variant.title}` : baseline === undefined ? "New baseline" : "New variant"}
      submitLabel={variant === undefined ? "Create" : "Save"}
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={created.isPending || updated.isPending}
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
      {isLocked ? (
        <Text size="sm" c="dimmed">
          Its configuration is locked: it was run, or a variant that branches from it.
        </Text>
      ) : baseline === undefined ? (
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
          isParentFixed={variant !== undefined}
          steps={steps}
          draft={{ ...draft, step }}
          error={configFault}
          onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
        />
      )}
    </FormModal>
  );
}

/** The one parameter that the variant changes; none of a new one. */
function draftOf(variant: Variant | undefined, baseline: Variant | undefined): ParameterDraft {
  const [parameter] = parametersOf(variant?.configPatch ?? null);
  const parentId = variant?.parentId ?? baseline?.id ?? "";
  if (parameter === undefined) return { parentId, name: "", kind: "text", text: "" };
  const { step, name, value } = parameter;
  return { parentId, step, name, kind: kindOf(value), text: textOf(value) };
}

/** Whether it was started, or one that branches from it: what was measured stays as it was. */
function isConfigLocked(variants: readonly Variant[], { id, status }: Variant): boolean {
  return (
    (status !== "DRAFT" && status !== "FAILED") ||
    variants.some((branch) => branch.parentId === id && isConfigLocked(variants, branch))
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
