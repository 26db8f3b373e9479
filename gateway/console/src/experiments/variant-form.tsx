// Form to create or edit a variant: for the baseline its full configuration, for any other variant the parameter that
// it changes.

import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Loaded } from "../api/conditional.ts";
import { readAll } from "../api/query.ts";
import { chosenFrom, type Field, fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { formatValue, getKind, listParameters, readConfig, readValue } from "./configs.ts";
import { allInferenceSteps, type Experiment, refreshedByExperiments } from "./experiment-requests.ts";
import { type ParameterDraft, ParameterFields } from "./parameter-fields.tsx";
import { createVariant, updateVariant, type Variant } from "./variant-requests.ts";

interface VariantFormProps {
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  /** Baseline of the experiment. Undefined if the form creates or edits the baseline. */
  readonly baseline: Variant | undefined;
  /** Variant to edit. Undefined creates one. */
  readonly variant?: Loaded<{ readonly data: Variant }>;
  readonly onClose: () => void;
}

interface VariantDraft {
  readonly title: string;
  readonly description: string;
  /** Full configuration as JSON, only for the baseline. Undefined until entered. */
  readonly config: string | undefined;
  /** Parameter to change, only for variants other than the baseline. */
  readonly parameter: ParameterDraft;
}

const field = fieldFor<VariantDraft>();
const wordFields = [field("title", "Title"), field("description", "Description")];

export function VariantForm({ experiment, variants, baseline, variant, onClose }: VariantFormProps) {
  const steps = useSteps(experiment);
  const stored = variant?.body.data;
  const [fault, setFault] = useState<string>();
  const isLocked = stored !== undefined && isConfigLocked(variants, stored);
  const toPatch = ({ config, parameter: { step = steps[0]?.value, name, kind, text } }: VariantDraft) => {
    if (baseline === undefined) return readConfig(config ?? emptyConfig(steps));
    const value = readValue(text, kind);
    return value && (step === undefined ? {} : { [step]: { [name]: value.value } });
  };
  const edit = useEdit({
    loaded: variant,
    newDraft: () => toDraft(undefined, baseline),
    create: (draft) => {
      const { title, description, parameter } = draft;
      const parent = baseline === undefined ? {} : { parentId: parameter.parentId };
      return createVariant({
        experimentId: experiment.id,
        title,
        description,
        configPatch: toPatch(draft) ?? {},
        ...parent,
      });
    },
    onCreated: onClose,
    toDraft: ({ data }) => toDraft(data, baseline),
    fields: isLocked ? wordFields : [...wordFields, ...configFields(baseline, steps)],
    makeRequest: (draft, { data: { id } }) => {
      const { title, description } = draft;
      const configPatch = isLocked ? undefined : toPatch(draft);
      const of = { experimentId: experiment.id, variantId: id };
      return updateVariant({ ...of, title, description, ...(configPatch !== undefined && { configPatch }) });
    },
    refreshes: refreshedByExperiments,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const configFault = fault ?? Object.entries(edit.errors).find(([path]) => path.startsWith("configPatch"))?.[1];
  const { parameter } = draft;
  const save = () => {
    const configPatch = toPatch(draft);
    setFault(isLocked || configPatch !== undefined ? undefined : "Enter valid JSON");
    if (isLocked || configPatch !== undefined) edit.save();
  };
  return (
    <FormModal
      title={stored !== undefined ? `Edit ${stored.title}` : baseline === undefined ? "New baseline" : "New variant"}
      size="lg"
      {...edit.modal}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField label="Title" data-autofocus required {...edit.input("title")} />
      <LongTextField label="Description" autosize maxRows={10} {...edit.input("description")} />
      {isLocked ? (
        <Text size="sm" c="dimmed">
          Configuration locked: this variant, or one that branches from it, has run.
        </Text>
      ) : baseline === undefined ? (
        <LongTextField
          label="Configuration"
          description="Current parameters as a JSON object, by inference step id in the application"
          autosize
          minRows={5}
          maxRows={20}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={draft.config ?? emptyConfig(steps)}
          error={configFault}
          onChange={(config) => set({ config })}
        />
      ) : (
        <ParameterFields
          variants={variants}
          isParentFixed={stored !== undefined}
          steps={steps}
          draft={{ ...parameter, step: parameter.step ?? steps[0]?.value }}
          error={configFault}
          onChange={(change) => set({ parameter: { ...parameter, ...change } })}
        />
      )}
    </FormModal>
  );
}

type Step = ReturnType<typeof useSteps>[number];

const emptyConfig = (steps: readonly Step[]) =>
  JSON.stringify(Object.fromEntries(steps.map(({ value }) => [value, {}])), null, 2);

function configFields(baseline: Variant | undefined, steps: readonly Step[]): readonly Field<VariantDraft>[] {
  if (baseline === undefined) return [field("config", "Configuration")];
  const part = <Name extends keyof ParameterDraft>(
    name: Name,
    label: string,
    text: (value: ParameterDraft[Name]) => string,
  ): Field<VariantDraft> => ({
    label,
    value: ({ parameter }) => parameter[name],
    text: ({ parameter }) => text(parameter[name]),
  });
  return [
    part("step", "Inference step", (step) => chosenFrom(steps)(step ?? null)),
    part("name", "Parameter", (name) => name),
    part("text", "Value", (text) => text),
  ];
}

/** Converts a variant to a draft with the parameter that it changes. A new variant has no parameter yet. */
function toDraft(variant: Variant | undefined, baseline: Variant | undefined): VariantDraft {
  const [parameter] = listParameters(variant?.configPatch ?? null);
  const parentId = variant?.parentId ?? baseline?.id ?? "";
  return {
    title: variant?.title ?? (baseline === undefined ? "Baseline" : ""),
    description: variant?.description ?? "",
    config: variant && JSON.stringify(variant.configPatch, null, 2),
    parameter:
      parameter === undefined
        ? { parentId, name: "", kind: "text", text: "" }
        : {
            parentId,
            step: parameter.step,
            name: parameter.name,
            kind: getKind(parameter.value),
            text: formatValue(parameter.value),
          },
  };
}

/** Returns true if the variant, or one that branches from it, has started: measured configurations must not change. */
function isConfigLocked(variants: readonly Variant[], { id, status }: Variant): boolean {
  return (
    (status !== "DRAFT" && status !== "FAILED") ||
    variants.some((branch) => branch.parentId === id && isConfigLocked(variants, branch))
  );
}

/** Returns the experiment's steps that have an id in the application, because only these can be configured. */
function useSteps({ inferenceStepIds }: Experiment): { value: string; label: string }[] {
  const { data = [] } = useQuery(readAll(allInferenceSteps));
  return data.flatMap(({ id, title, externalId }) =>
    externalId !== null && inferenceStepIds.includes(id)
      ? [{ value: externalId, label: `${title} (${externalId})` }]
      : [],
  );
}
