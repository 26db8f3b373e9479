// The fields of a definition: a form for each type.

import { Anchor, Radio, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/query.ts";
import { nameOfStyleGuide } from "../style-guides/style-guide-name.ts";
import { firstStyleGuides } from "../style-guides/style-guide-requests.ts";
import { AnchorLink } from "../ui/link.tsx";
import { ComparisonFields } from "./comparison-fields.tsx";
import { aboutType, type DefinitionType, definitionTypes } from "./definition-types.ts";
import classes from "./definitions.module.css";
import type { FieldsProps } from "./fields-props.ts";

interface DefinitionFieldsProps extends FieldsProps {
  /** A definition keeps its type. */
  readonly isNew: boolean;
  /** What patterns are previewed on. */
  readonly answer: string;
  readonly onAnswer: (answer: string) => void;
}

export function DefinitionFields(props: DefinitionFieldsProps) {
  const { draft, issues, onChange, isNew, answer, onAnswer } = props;
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        required
        data-autofocus
        maxLength={255}
        value={draft.name}
        error={issues.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {isNew ? (
        <Radio.Group
          label="Type"
          value={draft.type}
          error={issues.type}
          onChange={(type) => onChange({ type: type as DefinitionType })}
        >
          <div className={classes.types}>
            {typesInOrder.map((type) => (
              <Radio.Card key={type} value={type} className={classes.type} aria-label={aboutType[type].label}>
                <Radio.Indicator size="xs" />
                <span>
                  <Text span size="sm" fw={500} display="block">
                    {aboutType[type].label}
                  </Text>
                  <Text span size="xs" c="dimmed" display="block">
                    {aboutType[type].description}
                  </Text>
                </span>
              </Radio.Card>
            ))}
          </div>
        </Radio.Group>
      ) : (
        <Text size="sm" c="dimmed">
          {aboutType[draft.type].label}: {aboutType[draft.type].description}
        </Text>
      )}
      <TypeFields draft={draft} issues={issues} onChange={onChange} answer={answer} onAnswer={onAnswer} />
    </Stack>
  );
}

/** The usual ones first. */
const typesInOrder: readonly DefinitionType[] = [
  "CUSTOM",
  "OUTPUT_MATCH",
  ...definitionTypes.filter((type) => type !== "CUSTOM" && type !== "OUTPUT_MATCH"),
];

function TypeFields({ draft, issues, onChange, answer, onAnswer }: Omit<DefinitionFieldsProps, "isNew">) {
  switch (draft.type) {
    case "CUSTOM":
      return (
        <Textarea
          label="Criterion"
          description="What the answer must meet, such that it passes or fails"
          required
          autosize
          minRows={4}
          maxRows={16}
          value={draft.criterion}
          error={issues["globalConfig.criterion"] ?? issues.globalConfig}
          onChange={(event) => onChange({ criterion: event.currentTarget.value })}
        />
      );
    case "FACT":
      return (
        <Textarea
          label="Ground truth"
          description="What the answer's claims are compared with, where a link expects nothing else"
          autosize
          minRows={4}
          maxRows={16}
          value={draft.groundTruth}
          error={issues["globalConfig.groundTruth"] ?? issues.globalConfig}
          onChange={(event) => onChange({ groundTruth: event.currentTarget.value })}
        />
      );
    case "STYLE":
      return <StyleGuideField draft={draft} issues={issues} onChange={onChange} />;
    case "OUTPUT_MATCH":
      return <ComparisonFields draft={draft} issues={issues} onChange={onChange} answer={answer} onAnswer={onAnswer} />;
    case "NATURALNESS":
    case "RECALL":
      return (
        <Text size="sm" c="dimmed">
          This type has no settings.
        </Text>
      );
  }
}

function StyleGuideField({ draft, issues, onChange }: FieldsProps) {
  const { data } = useQuery(read(firstStyleGuides));
  const guides = (data?.data ?? []).map((guide) => ({ value: guide.id, label: nameOfStyleGuide(guide) }));
  const chosen = draft.styleGuideId;
  // Older ones than the first hundred are not in the list.
  const others =
    chosen === null || guides.some(({ value }) => value === chosen) ? [] : [{ value: chosen, label: chosen }];
  return (
    <Stack gap={4}>
      <Select
        label="Style guide"
        description="Each of its sections is graded"
        required
        searchable
        data={[...guides, ...others]}
        value={chosen}
        error={issues.styleGuideId}
        nothingFoundMessage="No style guide"
        onChange={(styleGuideId) => onChange({ styleGuideId })}
      />
      {data?.data.length === 0 && (
        <Text size="xs" c="dimmed">
          There is none yet:{" "}
          <Anchor component={AnchorLink} to="/style-guides/new" inherit underline="always">
            create one
          </Anchor>
          .
        </Text>
      )}
    </Stack>
  );
}
