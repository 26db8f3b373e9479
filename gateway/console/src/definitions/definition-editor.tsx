// The form of a definition, and a trial beside it of what is not saved yet.

import { Group, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { EditNotices } from "../edits/edit-notices.tsx";
import type { EditView } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Beside } from "../ui/beside.tsx";
import { FormError } from "../ui/form-error.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { type DefinitionDraft, settingsOf } from "./definition-draft.ts";
import { DefinitionFields } from "./definition-fields.tsx";
import { TryPanel } from "./try-panel.tsx";

interface DefinitionEditorProps {
  readonly draft: DefinitionDraft;
  readonly onDraft: (change: Partial<DefinitionDraft>) => void;
  /** The definition that is changed; none while it is new. */
  readonly definitionId?: string;
  readonly onSave: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Of a definition that is changed. */
  readonly edit?: EditView;
}

export function DefinitionEditor(props: DefinitionEditorProps) {
  const { draft, onDraft, definitionId, onSave, isSaving, error, edit } = props;
  const [answer, setAnswer] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <Beside>
      <form onSubmit={submit} noValidate aria-label="Definition">
        <Stack gap="md">
          <DefinitionFields
            draft={draft}
            issues={issuesByField(error)}
            onChange={onDraft}
            isNew={definitionId === undefined}
            answer={answer}
            onAnswer={setAnswer}
          />
          {edit !== undefined && <EditNotices edit={edit} />}
          <FormError error={error} />
          <Group gap="xs">
            <ActionButton
              operation={definitionId === undefined ? "POST /v0/definitions" : "PUT /v0/definitions/{id}"}
              type="submit"
              loading={isSaving}
            >
              {definitionId === undefined ? "Create" : "Save"}
            </ActionButton>
            {definitionId === undefined ? (
              <ButtonLink to="/definitions" variant="default">
                Cancel
              </ButtonLink>
            ) : (
              <ButtonLink to="/definitions/$definitionId" params={{ definitionId }} variant="default">
                Cancel
              </ButtonLink>
            )}
          </Group>
        </Stack>
      </form>
      <Section title="Try it" description="As it is in the form; nothing is saved but what the model costs">
        <TryPanel
          definition={{ type: draft.type, name: draft.name, ...settingsOf(draft) }}
          answer={answer}
          onAnswer={setAnswer}
        />
      </Section>
    </Beside>
  );
}
