// OUTPUT_MATCH: what is compared of the answer, and how.

import { Checkbox, Group, NumberInput, Radio, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { type ExtractDraft, newExtract } from "./definition-draft.ts";
import { ExtractPreview } from "./extract-preview.tsx";
import type { FieldsProps } from "./fields-props.ts";

interface ComparisonFieldsProps extends FieldsProps {
  readonly answer: string;
  readonly onAnswer: (answer: string) => void;
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

export function ComparisonFields({ draft, issues, onChange, answer, onAnswer }: ComparisonFieldsProps) {
  const { extract } = draft;
  return (
    <Stack gap="md">
      <Radio.Group
        label="Compares"
        description="With what the link of the task or the topic expects"
        value={draft.comparison}
        error={issues["globalConfig.type"] ?? issues.globalConfig}
        onChange={(comparison) => onChange({ comparison: comparison === "list" ? "list" : "string" })}
      >
        <Group mt={6} gap="lg">
          <Radio value="string" label="One text, which is equal or not" />
          <Radio value="list" label="A list of items" />
        </Group>
      </Radio.Group>
      {draft.comparison === "list" && (
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <Select
            label="Matches"
            allowDeselect={false}
            data={modes}
            value={draft.matchMode}
            error={issues["globalConfig.matchMode"]}
            onChange={(mode) => onChange({ matchMode: mode === "contains" ? "contains" : "exact_unordered" })}
          />
          <Select
            label="Score"
            allowDeselect={false}
            data={metrics}
            value={draft.scoreMetric}
            error={issues["globalConfig.scoreMetric"]}
            onChange={(metric) =>
              onChange({ scoreMetric: metrics.find(({ value }) => value === metric)?.value ?? "f1" })
            }
          />
          <NumberInput
            label="Passes from"
            placeholder="0.8"
            size="sm"
            step={0.05}
            decimalScale={6}
            value={draft.passThreshold ?? ""}
            error={issues["globalConfig.passThreshold"]}
            onChange={(value) => onChange({ passThreshold: typeof value === "number" ? value : null })}
          />
        </Group>
      )}
      <Checkbox
        label="Compare only what a pattern finds in the answer"
        checked={extract !== null}
        onChange={(event) => onChange({ extract: event.currentTarget.checked ? newExtract : null })}
      />
      {extract !== null && (
        <ExtractFields
          extract={extract}
          issues={issues}
          onChange={(change) => onChange({ extract: { ...extract, ...change } })}
          answer={answer}
          onAnswer={onAnswer}
        />
      )}
    </Stack>
  );
}

interface ExtractFieldsProps {
  readonly extract: ExtractDraft;
  readonly issues: Readonly<Record<string, string>>;
  readonly onChange: (change: Partial<ExtractDraft>) => void;
  readonly answer: string;
  readonly onAnswer: (answer: string) => void;
}

function ExtractFields({ extract, issues, onChange, answer, onAnswer }: ExtractFieldsProps) {
  const at = "globalConfig.extract";
  const issueOfGroup = Object.keys(issues).find((path) => path.startsWith(`${at}.group`));
  return (
    <Stack gap="sm">
      <TextInput
        label="Pattern"
        description="A regular expression in RE2's syntax: no lookarounds, no back-references"
        required
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
        spellCheck={false}
        value={extract.pattern}
        error={issues[`${at}.pattern`] ?? issues[at]}
        onChange={(event) => onChange({ pattern: event.currentTarget.value })}
      />
      <Checkbox.Group
        label="Flags"
        value={[...extract.flags]}
        error={issues[`${at}.flags`]}
        onChange={(chosen) => onChange({ flags: chosen.join("") })}
      >
        <Group gap="md" mt={6}>
          {flags.map(({ flag, label }) => (
            <Checkbox key={flag} value={flag} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        label="Group"
        description="0 is the whole match; of several, such as 1, 2, the first that took part"
        maw={320}
        value={extract.group}
        error={issueOfGroup && issues[issueOfGroup]}
        onChange={(event) => onChange({ group: event.currentTarget.value })}
      />
      <Textarea
        label="Sample answer"
        description="Not saved; shows what the pattern finds"
        autosize
        minRows={2}
        maxRows={8}
        value={answer}
        onChange={(event) => onAnswer(event.currentTarget.value)}
      />
      <ExtractPreview extract={extract} text={answer} />
    </Stack>
  );
}
