// The sections of a style guide, with what their Markdown looks like.

import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Paper,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { ArrowDown, ArrowUp, Plus, X } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { EditNotices } from "../edits/edit-notices.tsx";
import type { EditView } from "../edits/use-edit.ts";
import type { Operation } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { FormError } from "../ui/form-error.tsx";
import { Markdown } from "../ui/markdown.tsx";
import type { Section } from "./style-guide-requests.ts";

interface StyleGuideFormProps {
  readonly sections: readonly Section[];
  readonly onSections: (sections: readonly Section[]) => void;
  readonly operation: Operation;
  readonly submitLabel: string;
  readonly cancel: ReactNode;
  readonly onSave: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Of a style guide that is changed. */
  readonly edit?: EditView;
}

export const newSection: Section = { heading: "", content: "", approved: false };

export function StyleGuideForm({
  sections,
  onSections: setSections,
  operation,
  submitLabel,
  cancel,
  onSave,
  isSaving,
  error,
  edit,
}: StyleGuideFormProps) {
  const issues = issuesByField(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  const move = (from: number, to: number) => {
    const section = sections[from];
    if (section !== undefined) setSections(sections.toSpliced(from, 1).toSpliced(to, 0, section));
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Style guide">
      <Stack gap="md" maw={880}>
        {sections.map((section, index) => (
          <SectionFields
            key={index}
            section={section}
            number={index + 1}
            issues={{ heading: issues[`content.${index}.heading`], content: issues[`content.${index}.content`] }}
            onChange={(change) => setSections(sections.with(index, { ...section, ...change }))}
            actions={
              <>
                <Move
                  label={`Move section ${index + 1} up`}
                  isDisabled={index === 0}
                  onClick={() => move(index, index - 1)}
                >
                  <ArrowUp size={14} />
                </Move>
                <Move
                  label={`Move section ${index + 1} down`}
                  isDisabled={index === sections.length - 1}
                  onClick={() => move(index, index + 1)}
                >
                  <ArrowDown size={14} />
                </Move>
                <Move label={`Remove section ${index + 1}`} onClick={() => setSections(sections.toSpliced(index, 1))}>
                  <X size={14} />
                </Move>
              </>
            }
          />
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          style={{ alignSelf: "flex-start" }}
          onClick={() => setSections([...sections, newSection])}
        >
          Add section
        </Button>
        {edit !== undefined && <EditNotices edit={edit} />}
        <FormError error={error} />
        <Group gap="xs">
          <ActionButton operation={operation} type="submit" loading={isSaving}>
            {submitLabel}
          </ActionButton>
          {cancel}
        </Group>
      </Stack>
    </form>
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
  readonly number: number;
  readonly issues: { readonly heading: string | undefined; readonly content: string | undefined };
  readonly onChange: (change: Partial<Section>) => void;
  readonly actions: ReactNode;
}

function SectionFields({ section, number, issues, onChange, actions }: SectionFieldsProps) {
  const [view, setView] = useState("write");
  return (
    <Paper withBorder p="md" m={0} component="fieldset" aria-label={`Section ${number}`}>
      <Stack gap="sm">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label="Heading"
            flex={1}
            value={section.heading}
            error={issues.heading}
            onChange={(event) => onChange({ heading: event.currentTarget.value })}
          />
          <Group gap={2} wrap="nowrap" mb={4}>
            {actions}
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
          <Textarea
            aria-label={`Rules of section ${number}`}
            autosize
            minRows={4}
            maxRows={20}
            value={section.content}
            error={issues.content}
            onChange={(event) => onChange({ content: event.currentTarget.value })}
          />
        ) : section.content === "" ? (
          <Text size="sm" c="dimmed">
            Nothing is written yet.
          </Text>
        ) : (
          <Markdown text={section.content} />
        )}
        <Checkbox
          label="A person has approved it"
          checked={section.approved}
          onChange={(event) => onChange({ approved: event.currentTarget.checked })}
        />
      </Stack>
    </Paper>
  );
}
