// Form fields for a variant's parent and for the parameter that the variant changes.

import { Autocomplete, Input, SegmentedControl, Select, Text, Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { formatValue, getKind, listParameters, type ValueKind } from "./configs.ts";
import type { Variant } from "./variant-requests.ts";

export interface ParameterDraft {
  /** Id of the variant that this one branches from. */
  readonly parentId: string;
  /** The inference step's id in the application. Default: the first step. */
  readonly step?: string | undefined;
  readonly name: string;
  readonly kind: ValueKind;
  readonly text: string;
}

interface ParameterFieldsProps {
  readonly variants: readonly Variant[];
  /** True for a stored variant, whose parent cannot change. */
  readonly isParentFixed: boolean;
  readonly steps: { value: string; label: string }[];
  readonly draft: ParameterDraft;
  readonly error: ReactNode;
  readonly onChange: (change: Partial<ParameterDraft>) => void;
}

const kinds: { value: ValueKind; label: string }[] = [
  { value: "text", label: "Text" },
  { value: "json", label: "Number or JSON" },
];

export function ParameterFields({ variants, isParentFixed, steps, draft, error, onChange }: ParameterFieldsProps) {
  const { parentId, step, name, kind, text } = draft;
  const parent = variants.find(({ id }) => id === parentId);
  const parameters = listParameters(parent?.config ?? null).filter((parameter) => parameter.step === step);
  const before = parameters.find((parameter) => parameter.name === name);
  // If the parent sets the parameter, start with that value.
  const onName = (chosen: string) => {
    const found = parameters.find((parameter) => parameter.name === chosen);
    onChange({ name: chosen, ...(found && { kind: getKind(found.value), text: formatValue(found.value) }) });
  };
  return (
    <>
      <Select
        label="Branches from"
        description="All other parameters are inherited"
        disabled={isParentFixed}
        allowDeselect={false}
        data={variants.map(({ id, title }) => ({ value: id, label: title }))}
        value={parentId}
        onChange={(value) => value !== null && onChange({ parentId: value })}
      />
      {steps.length === 0 ? (
        <Text size="sm" c="var(--ems-warning)">
          No inference step of this experiment has an id in the application (externalId), so nothing can be configured.
        </Text>
      ) : (
        <Select
          label="Inference step"
          allowDeselect={false}
          data={steps}
          value={step ?? null}
          onChange={(value) => value !== null && onChange({ step: value })}
        />
      )}
      <Autocomplete
        label="Parameter"
        description="Choose one or enter a new name"
        required
        data={parameters.map((parameter) => parameter.name)}
        value={name}
        error={error}
        onChange={onName}
      />
      <Input.Wrapper label="Value" labelElement="div">
        <SegmentedControl
          size="xs"
          mt={4}
          mb={6}
          aria-label="Value type"
          data={kinds}
          value={kind}
          onChange={(value) => onChange({ kind: value })}
        />
        <Textarea
          aria-label="New value"
          autosize
          maxRows={14}
          value={text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      </Input.Wrapper>
      {before !== undefined && (
        <Text size="xs" c="dimmed" lineClamp={4}>
          Value in {parent?.title}: {formatValue(before.value)}
        </Text>
      )}
    </>
  );
}
