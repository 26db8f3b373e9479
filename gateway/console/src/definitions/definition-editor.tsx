// Form to create or change a definition, with a trial of the unsaved definition.

import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { readAll } from "../api/query.ts";
import { useEdit } from "../edits/use-edit.ts";
import { formatStyleGuideName } from "../style-guides/style-guide-name.ts";
import { allStyleGuides } from "../style-guides/style-guide-requests.ts";
import { ActionButton } from "../ui/action.tsx";
import { Form } from "../ui/form.tsx";
import { ButtonLink } from "../ui/link.tsx";
import { Section } from "../ui/section.tsx";
import { TwoColumns } from "../ui/two-columns.tsx";
import { fieldNames, listFields, newDraft, toDraft, toSettings } from "./definition-draft.ts";
import { DefinitionFields } from "./definition-fields.tsx";
import { createDefinition, type Definition, refreshedByDefinitions, updateDefinition } from "./definition-requests.ts";
import { TryPanel } from "./try-panel.tsx";
import { useTrial } from "./use-trial.ts";

interface DefinitionEditorProps {
  /** Definition to change. Undefined creates one. */
  readonly definition?: Loaded<{ readonly data: Definition }>;
}

export function DefinitionEditor({ definition }: DefinitionEditorProps) {
  const navigate = useNavigate();
  const guides = useQuery(readAll(allStyleGuides)).data ?? [];
  const open = ({ id }: { readonly id: string }, replace: boolean) =>
    void navigate({ to: "/definitions/$definitionId", params: { definitionId: id }, replace });
  const edit = useEdit({
    loaded: definition,
    newDraft: () => newDraft,
    create: (draft) => createDefinition({ type: draft.type, name: draft.name, ...toSettings(draft) }),
    onCreated: ({ data }) => open(data, true),
    names: fieldNames,
    toDraft: ({ data }) => toDraft(data),
    fields: listFields(guides.map((guide) => ({ value: guide.id, label: formatStyleGuideName(guide) }))),
    // Send an empty object to remove settings, because the API keeps omitted settings.
    makeRequest: (draft, { data: { id } }) =>
      updateDefinition({ id, name: draft.name, globalConfig: {}, ...toSettings(draft) }),
    refreshes: refreshedByDefinitions,
    onSaved: () => definition !== undefined && open(definition.body.data, false),
  });
  const trial = useTrial(edit.draft);
  return (
    <TwoColumns>
      <Form
        title="Evaluator"
        label="Evaluator"
        gap="md"
        {...edit.modal}
        footer={
          <Group gap="xs">
            <ActionButton
              operation={definition === undefined ? "POST /v0/definitions" : "PUT /v0/definitions/{id}"}
              type="submit"
              loading={edit.isPending}
            >
              {edit.modal.submitLabel}
            </ActionButton>
            {definition === undefined ? (
              <ButtonLink to="/definitions" variant="default">
                Cancel
              </ButtonLink>
            ) : (
              <ButtonLink
                to="/definitions/$definitionId"
                params={{ definitionId: definition.body.data.id }}
                variant="default"
              >
                Cancel
              </ButtonLink>
            )}
          </Group>
        }
      >
        <DefinitionFields
          form={edit}
          isNew={definition === undefined}
          sample={trial.form.input("answer", { withError: false })}
        />
      </Form>
      <Section
        title="Try it"
        description="Uses the unsaved settings of the form. May cost model tokens; nothing is saved"
      >
        <TryPanel {...trial} />
      </Section>
    </TwoColumns>
  );
}
