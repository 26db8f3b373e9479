// Fields of OUTPUT_MATCH: the part of the answer to compare, and the comparison.

import { Checkbox, Group, NumberInput, Radio, Select, Stack } from "@mantine/core";
import type { DraftInputs } from "../edits/use-draft.ts";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { type DefinitionDraft, newExtract } from "./definition-draft.ts";
import { ExtractPreview } from "./extract-preview.tsx";

export interface ComparisonFieldsProps {
  readonly form: DraftInputs<DefinitionDraft>;
  /** The answer for the preview of a pattern. */
  readonly sample: ReturnType<DraftInputs<object>["input"]>;
}

const modes = [
  { value: "exact_unordered", label: "Equal items" },
  { value: "contains", label: "Items that contain it" },
] as const;
const metrics = [
  { value: "f1", label: "F1: both" },
  { value: "precision", label: "Precision: no others" },
  { value: "recall", label: "Recall: all found" },
] as const;
const flags = [
  { flag: "g", label: "All matches (g)" },
  { flag: "i", label: "Any case (i)" },
  { flag: "m", label: "Lines (m)" },
  { flag: "s", label: "A dot is any character (s)" },
] as const;

export function ComparisonFields({ form, sample }: ComparisonFieldsProps) {
  const { draft, set, input } = form;
  return (
    <Stack gap="md">
      <Radio.Group
        label="Compares"
        description="With what the link of the task or the topic expects"
        {...input("comparison")}
      >
        <Group mt={6} gap="lg">
          <Radio value="string" label="One text, which is equal or not" />
          <Radio value="list" label="A list of items" />
        </Group>
      </Radio.Group>
      {draft.comparison === "list" && (
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select label="Matches" allowDeselect={false} data={modes} {...input("matchMode")} />
          <Select label="Score" allowDeselect={false} data={metrics} {...input("scoreMetric")} />
          <NumberInput
            label="Passes from"
            placeholder="0.8"
            size="sm"
            step={0.05}
            decimalScale={6}
            {...input("passThreshold")}
          />
        </Group>
      )}
      <Checkbox
        label="Compare only what a pattern finds in the answer"
        checked={draft.extract !== null}
        onChange={(event) => set({ extract: event.currentTarget.checked ? newExtract : null })}
      />
      {draft.extract !== null && (
        <Stack gap="sm">
          <TextField
            label="Pattern"
            description="A regular expression in RE2's syntax: no lookarounds, no back-references"
            required
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
            spellCheck={false}
            {...input("extract.pattern")}
          />
          <Checkbox.Group label="Flags" {...input("extract.flags")}>
            <Group gap="md" mt={6}>
              {flags.map(({ flag, label }) => (
                <Checkbox key={flag} value={flag} label={label} />
              ))}
            </Group>
          </Checkbox.Group>
          <TextField
            label="Group"
            description="0 is the whole match; of several, such as 1, 2, the first that took part"
            maw={320}
            {...input("extract.group")}
          />
          <LongTextField
            label="Sample answer"
            description="Not saved; shows what the pattern finds"
            maxRows={8}
            {...sample}
          />
          <ExtractPreview extract={draft.extract} text={sample.value} />
        </Stack>
      )}
    </Stack>
  );
}
