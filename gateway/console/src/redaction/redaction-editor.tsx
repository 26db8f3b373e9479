// Form for the redaction rules, with a trial of the unsaved rules.

import { Group, Text } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import { useIssues } from "../edits/use-draft.ts";
import { useEdit } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Form } from "../ui/form.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { TwoColumns } from "../ui/two-columns.tsx";
import { BuiltInPatterns } from "./built-in-patterns.tsx";
import { OwnPatterns } from "./own-patterns.tsx";
import {
  type IngestSettings,
  redactionsMax,
  testIngestSettings,
  updateIngestSettings,
  withOtherSettings,
} from "./redaction-requests.ts";
import { type Rule, ruleFields, toDraft, toRedaction } from "./rules.ts";
import { TryPanel } from "./try-panel.tsx";

export function RedactionEditor({ loaded }: { readonly loaded: Loaded<{ readonly data: IngestSettings }> }) {
  const settings = loaded.body.data;
  const edit = useEdit({
    loaded,
    toDraft,
    storedDraft: toDraft,
    fields: ruleFields,
    makeRequest: ({ redactions }, { data }) =>
      updateIngestSettings(withOtherSettings(data, { redactions: redactions.map(toRedaction) })),
    refreshes: ["/v0/ingest-settings"],
  });
  const trial = useChange(testIngestSettings, { refreshes: [] });
  useIssues(edit, trial.error);
  const rules = edit.draft.redactions;
  const redactions = rules.map(toRedaction);
  const onRules = (changed: readonly Rule[]) => {
    edit.set({ redactions: changed });
    // Clear the errors: they belong to rules by index, and removing a rule changes the indexes.
    if (changed.length < rules.length) {
      edit.reset();
      trial.reset();
    }
  };
  const submit = () => {
    if (trial.isError) trial.reset();
    edit.save();
  };
  const fields = { form: edit, isFull: rules.length >= redactionsMax, onRules };
  const isTried = JSON.stringify(trial.variables?.redactions) === JSON.stringify(redactions);
  return (
    <TwoColumns>
      <Form
        title="Redaction"
        label="Redaction"
        gap="xl"
        {...edit.modal}
        onSubmit={submit}
        footer={
          <Group gap="xs">
            <ActionButton operation="PUT /v0/ingest-settings" type="submit" loading={edit.isPending}>
              Save
            </ActionButton>
            <RequestButton requests={[updateIngestSettings(withOtherSettings(settings, { redactions }))]} />
            <Text size="sm" c="dimmed" role="status">
              <State isSaved={edit.isSaved} settings={settings} />
            </Text>
          </Group>
        }
      >
        <Section title="Built-in patterns" description="Patterns match format, not meaning">
          <BuiltInPatterns {...fields} />
        </Section>
        <Section
          title="Custom patterns"
          description={`RE2 syntax; flags go first, such as (?i). At most ${redactionsMax} rules, including built-in patterns`}
        >
          <OwnPatterns {...fields} />
        </Section>
      </Form>
      <Section title="Try it" description="Uses the unsaved rules; nothing is saved">
        <TryPanel
          redactions={redactions}
          redacted={isTried ? trial.data?.text : undefined}
          isPending={trial.isPending}
          error={trial.error}
          onTry={(request) => {
            edit.reset();
            trial.mutate(request);
          }}
        />
      </Section>
    </TwoColumns>
  );
}

function State({ isSaved, settings }: { readonly isSaved: boolean; readonly settings: IngestSettings }) {
  if (isSaved) return "Saved: these rules redact new data within five seconds";
  const isEmpty = !settings.redactions.some(({ enabled }) => enabled);
  if (settings.modifiedAt === null) return "Nothing is redacted yet";
  return (
    <>
      {isEmpty ? "Nothing is redacted; changed" : "Changed"} <Time value={settings.modifiedAt} />
    </>
  );
}
