// Form fields of a definition, which depend on its type.

import { Anchor, Radio, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readAll } from "../api/query.ts";
import type { DraftInputs } from "../edits/use-draft.ts";
import { formatStyleGuideName } from "../style-guides/style-guide-name.ts";
import { allStyleGuides } from "../style-guides/style-guide-requests.ts";
import { AnchorLink } from "../ui/link.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { ComparisonFields, type ComparisonFieldsProps } from "./comparison-fields.tsx";
import type { DefinitionDraft } from "./definition-draft.ts";
import { aboutType, type DefinitionType, definitionTypes } from "./definition-types.ts";
import classes from "./definitions.module.css";

interface DefinitionFieldsProps extends ComparisonFieldsProps {
  /** True for a new definition. The type of a stored definition cannot change. */
  readonly isNew: boolean;
}

export function DefinitionFields({ form, isNew, sample }: DefinitionFieldsProps) {
  const { draft, input } = form;
  return (
    <Stack gap="md">
      <TextField label="Name" required data-autofocus maxLength={255} {...input("name")} />
      {isNew ? (
        <Radio.Group label="Type" {...input("type")}>
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
      <TypeFields form={form} sample={sample} />
    </Stack>
  );
}

/** Definition types, the most common first. */
const typesInOrder: readonly DefinitionType[] = [
  "CUSTOM",
  "OUTPUT_MATCH",
  ...definitionTypes.filter((type) => type !== "CUSTOM" && type !== "OUTPUT_MATCH"),
];

function TypeFields({ form, sample }: ComparisonFieldsProps) {
  const { draft, input } = form;
  switch (draft.type) {
    case "CUSTOM":
      return (
        <LongTextField
          label="Criterion"
          description="Requirement that the answer passes or fails"
          required
          minRows={4}
          maxRows={16}
          {...input("criterion")}
        />
      );
    case "FACT":
      return (
        <LongTextField
          label="Ground truth"
          description="Compared with the answer's claims, unless a link sets an expected answer"
          minRows={4}
          maxRows={16}
          {...input("groundTruth")}
        />
      );
    case "STYLE":
      return <StyleGuideField form={form} />;
    case "OUTPUT_MATCH":
      return <ComparisonFields form={form} sample={sample} />;
    case "NATURALNESS":
    case "RECALL":
      return (
        <Text size="sm" c="dimmed">
          This type has no settings.
        </Text>
      );
  }
}

function StyleGuideField({ form: { draft, input } }: { readonly form: DraftInputs<DefinitionDraft> }) {
  const { data } = useQuery(readAll(allStyleGuides));
  const guides = (data ?? []).map((guide) => ({ value: guide.id, label: formatStyleGuideName(guide) }));
  const chosen = draft.styleGuideId;
  // Add the selected one, by its id, while the list loads or if it was deleted.
  const older =
    chosen === null || guides.some(({ value }) => value === chosen) ? [] : [{ value: chosen, label: chosen }];
  return (
    <Stack gap={4}>
      <Select
        label="Style guide"
        description="Each section is graded"
        required
        searchable
        data={[...guides, ...older]}
        nothingFoundMessage="No style guide"
        {...input("styleGuideId")}
      />
      {data?.length === 0 && (
        <Text size="xs" c="dimmed">
          No style guides yet:{" "}
          <Anchor component={AnchorLink} to="/style-guides/new" inherit underline="always">
            create one
          </Anchor>
          .
        </Text>
      )}
    </Stack>
  );
}
