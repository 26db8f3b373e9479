// The one parameter that a variant changes, and of which variant.

import { Autocomplete, Input, SegmentedControl, Select, Text, Textarea } from "@mantine/core";
import type { ReactNode } from "react";
import { kindOf, parametersOf, textOf, type ValueKind } from "./configs.ts";
import type { Variant } from "./variant-requests.ts";

export interface ParameterDraft {
  /** The variant that this one branches from. */
  readonly parentId: string;
  /** The inference step's id in the application; the first one's when undefined. */
  readonly step?: string | undefined;
  readonly name: string;
  readonly kind: ValueKind;
  readonly text: string;
}

interface ParameterFieldsProps {
  readonly variants: readonly Variant[];
  /** A variant stays where it branches. */
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
  const parameters = parametersOf(parent?.config ?? null).filter((parameter) => parameter.step === step);
  const before = parameters.find((parameter) => parameter.name === name);
  // A parameter that is set begins with its value, to be changed.
  const onName = (chosen: string) => {
    const found = parameters.find((parameter) => parameter.name === chosen);
    onChange({ name: chosen, ...(found && { kind: kindOf(found.value), text: textOf(found.value) }) });
  };
  return (
    <>
      <Select
        label="Branches from"
        description="All else is as it is there"
        disabled={isParentFixed}
        allowDeselect={false}
        data={variants.map(({ id, title }) => ({ value: id, label: title }))}
        value={parentId}
        onChange={(value) => value !== null && onChange({ parentId: value })}
      />
      {steps.length === 0 ? (
        <Text size="sm" c="var(--ems-warning)">
          No inference step of the experiment has an id in the application (externalId): there is nothing to configure.
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
        description="One that is set, or a new one"
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
          aria-label="Kind of value"
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
          In {parent?.title} it is: {textOf(before.value)}
        </Text>
      )}
    </>
  );
}
