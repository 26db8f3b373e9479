// Form fields of OUTPUT_MATCH definitions: the part of the answer to compare, and how to compare it.

import { Checkbox, Group, NumberInput, Radio, Select, Stack } from "@mantine/core";
import type { DraftInputs } from "../edits/use-draft.ts";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { type DefinitionDraft, newExtract } from "./definition-draft.ts";
import { ExtractPreview } from "./extract-preview.tsx";

export interface ComparisonFieldsProps {
  readonly form: DraftInputs<DefinitionDraft>;
  /** Input of the sample answer, in which the pattern's matches are previewed. */
  readonly sample: ReturnType<DraftInputs<object>["input"]>;
}

const modes = [
  { value: "exact_unordered", label: "Equal items" },
  { value: "contains", label: "Items that contain it" },
] as const;
const metrics = [
  { value: "f1", label: "F1: precision and recall" },
  { value: "precision", label: "Precision: no unexpected items" },
  { value: "recall", label: "Recall: all expected items" },
] as const;
const flags = [
  { flag: "g", label: "All matches (g)" },
  { flag: "i", label: "Ignore case (i)" },
  { flag: "m", label: "Multiline (m)" },
  { flag: "s", label: "Dot matches newlines (s)" },
] as const;

export function ComparisonFields({ form, sample }: ComparisonFieldsProps) {
  const { draft, set, input } = form;
  return (
    <Stack gap="md">
      <Radio.Group
        label="Compares"
        description="Compares with the expected answer set on the task or topic"
        {...input("comparison")}
      >
        <Group mt={6} gap="lg">
          <Radio value="string" label="A text" />
          <Radio value="list" label="A list of items" />
        </Group>
      </Radio.Group>
      {draft.comparison === "list" && (
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select label="Matches" allowDeselect={false} data={modes} {...input("matchMode")} />
          <Select label="Score" allowDeselect={false} data={metrics} {...input("scoreMetric")} />
          <NumberInput
            label="Pass threshold"
            placeholder="0.8"
            size="sm"
            step={0.05}
            decimalScale={6}
            {...input("passThreshold")}
          />
        </Group>
      )}
      <Checkbox
        label="Compare byte by byte"
        description="Otherwise Unicode composition, white space at both ends, no-break spaces and line ends do not count"
        {...form.check("exact")}
      />
      <Checkbox
        label="Compare only the matches of a pattern"
        checked={draft.extract !== null}
        onChange={(event) => set({ extract: event.currentTarget.checked ? newExtract : null })}
      />
      {draft.extract !== null && (
        <Stack gap="sm">
          <TextField
            label="Pattern"
            description="Regular expression in RE2 syntax: no lookarounds, no back-references"
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
            description="Capture group to compare. 0 = whole match; several, such as 1, 2 = the first that matched"
            maw={320}
            {...input("extract.group")}
          />
          <LongTextField
            label="Sample answer"
            description="Not saved. Shows the matches of the pattern"
            maxRows={8}
            {...sample}
          />
          <ExtractPreview extract={draft.extract} text={sample.value} />
        </Stack>
      )}
    </Stack>
  );
}
