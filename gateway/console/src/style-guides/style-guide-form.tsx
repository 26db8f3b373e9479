// Form to create or edit a style guide: its sections, with a preview of their Markdown.

import { ActionIcon, Button, Checkbox, Group, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Loaded } from "../api/conditional.ts";
import type { DraftInputs } from "../edits/use-draft.ts";
import { useEdit } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Form } from "../ui/form.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { LongTextField, TextField } from "../ui/text-field.tsx";
import { type GuideDraft, newSection, sectionFields } from "./style-guide-draft.ts";
import {
  createStyleGuide,
  refreshedByStyleGuides,
  type Section,
  type StyleGuide,
  updateStyleGuide,
} from "./style-guide-requests.ts";

interface StyleGuideFormProps {
  /** Style guide to edit. Undefined creates one. */
  readonly guide?: Loaded<{ readonly data: StyleGuide }>;
}

export function StyleGuideForm({ guide }: StyleGuideFormProps) {
  const navigate = useNavigate();
  const page = (id: string) => ({ to: "/style-guides/$styleGuideId", params: { styleGuideId: id } }) as const;
  const edit = useEdit({
    loaded: guide,
    newDraft: (): GuideDraft => ({ content: [newSection] }),
    create: ({ content }) => createStyleGuide({ content: [...content] }),
    onCreated: ({ data }) => void navigate({ ...page(data.id), replace: true }),
    toDraft: ({ data: { content } }): GuideDraft => ({ content }),
    fields: sectionFields,
    makeRequest: ({ content }, { data: { id } }) => updateStyleGuide({ id, content: [...content] }),
    refreshes: refreshedByStyleGuides,
    onSaved: () => guide !== undefined && void navigate(page(guide.body.data.id)),
  });
  const sections = edit.draft.content;
  return (
    <Form
      title="Style guide"
      label="Style guide"
      gap="md"
      {...edit.modal}
      footer={
        <Group gap="xs">
          <ActionButton
            operation={guide === undefined ? "POST /v0/style-guides" : "PUT /v0/style-guides/{id}"}
            type="submit"
            loading={edit.isPending}
          >
            {edit.modal.submitLabel}
          </ActionButton>
          <ButtonLink {...(guide === undefined ? { to: "/style-guides" } : page(guide.body.data.id))} variant="default">
            Cancel
          </ButtonLink>
        </Group>
      }
    >
      {sections.map((section, index) => (
        <SectionFields key={index} section={section} index={index} form={edit} />
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={14} />}
        style={{ alignSelf: "flex-start" }}
        onClick={() => edit.list.add("content", newSection)}
      >
        Add section
      </Button>
    </Form>
  );
}

interface MoveProps {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Move({ label, isDisabled = false, onClick, children }: MoveProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={isDisabled} onClick={onClick}>
      {children}
    </ActionIcon>
  );
}

interface SectionFieldsProps {
  readonly section: Section;
  readonly index: number;
  readonly form: DraftInputs<GuideDraft>;
}

function SectionFields({ section, index, form: { draft, input, check, list } }: SectionFieldsProps) {
  const [view, setView] = useState("write");
  const path = `content.${index}` as const;
  const number = index + 1;
  return (
    <Paper withBorder p="md" m={0} component="fieldset" aria-label={`Section ${number}`}>
      <Stack gap="sm">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextField label="Heading" flex={1} {...input(`${path}.heading`)} />
          <Group gap={2} wrap="nowrap" mb={4}>
            <Move
              label={`Move section ${number} up`}
              isDisabled={index === 0}
              onClick={() => list.move("content", index, index - 1)}
            >
              <ArrowUp size={14} />
            </Move>
            <Move
              label={`Move section ${number} down`}
              isDisabled={number === draft.content.length}
              onClick={() => list.move("content", index, index + 1)}
            >
              <ArrowDown size={14} />
            </Move>
            <Move label={`Remove section ${number}`} onClick={() => list.remove("content", index)}>
              <X size={14} />
            </Move>
          </Group>
        </Group>
        <Group justify="space-between" gap="xs">
          <Text size="xs" c="dimmed">
            Rules, in Markdown
          </Text>
          <SegmentedControl
            size="xs"
            aria-label={`View of section ${number}`}
            data={[
              { value: "write", label: "Write" },
              { value: "preview", label: "Preview" },
            ]}
            value={view}
            onChange={setView}
          />
        </Group>
        {view === "write" ? (
          <LongTextField
            aria-label={`Rules of section ${number}`}
            minRows={4}
            maxRows={20}
            {...input(`${path}.content`)}
          />
        ) : section.content === "" ? (
          <Text size="sm" c="dimmed">
            No rules yet.
          </Text>
        ) : (
          <Markdown text={section.content} />
        )}
        <Checkbox label="A person has approved it" {...check(`${path}.approved`)} />
      </Stack>
    </Paper>
  );
}
