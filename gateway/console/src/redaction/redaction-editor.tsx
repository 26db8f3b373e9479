// The form of the rules, and a trial beside it of what is not saved yet.

import { Group, Stack, Text } from "@mantine/core";
import type { FormEvent } from "react";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { EditNotices } from "../edits/edit-notices.tsx";
import type { Field } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Beside } from "../ui/beside.tsx";
import { FormError } from "../ui/form-error.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { BuiltInPatterns } from "./built-in-patterns.tsx";
import { OwnPatterns } from "./own-patterns.tsx";
import { type IngestSettings, redactionsMax, testIngestSettings, updateIngestSettings } from "./redaction-requests.ts";
import { type Rule, redactionOf, ruleOf, ruleText } from "./rules.ts";
import { TryPanel } from "./try-panel.tsx";

interface RulesDraft {
  readonly rules: readonly Rule[];
}

const draftOf = ({ data }: { readonly data: IngestSettings }): RulesDraft => ({ rules: data.redactions.map(ruleOf) });

/** A rule is known by its name: one that was added above it is not compared with it. */
const ruleFields = (drafts: readonly RulesDraft[]): Field<RulesDraft>[] => {
  const names = new Set(drafts.flatMap(({ rules }) => rules.map(({ name }) => name)));
  const named = (name: string) => (draft: RulesDraft) => draft.rules.filter((rule) => rule.name === name);
  return [...names].map((name) => ({
    label: `Rule: ${name}`,
    value: named(name),
    text: (draft) => named(name)(draft).map(ruleText).join("\n\n"),
  }));
};

export function RedactionEditor({ loaded }: { readonly loaded: Loaded<{ readonly data: IngestSettings }> }) {
  const settings = loaded.body.data;
  const save = useEdit({
    loaded,
    draftOf,
    storedDraft: draftOf,
    fields: ruleFields,
    makeRequest: (draft) => updateIngestSettings(draft.rules.map(redactionOf)),
    refreshes: ["/v0/ingest-settings"],
  });
  const { rules } = save.draft;
  const trial = useChange(testIngestSettings, { refreshes: [] });
  const redactions = rules.map(redactionOf);
  const onChange = (changed: readonly Rule[]) => {
    save.set({ rules: changed });
    // Faults stay at their fields while the rules keep their places.
    if (save.isSaved || changed.length < rules.length) save.reset();
    if (trial.isSuccess || changed.length < rules.length) trial.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (trial.isError) trial.reset();
    save.save();
  };
  const fields = {
    rules,
    issues: issuesByField(save.error ?? trial.error),
    isFull: rules.length >= redactionsMax,
    onChange,
  };
  return (
    <Beside>
      <form onSubmit={submit} noValidate aria-label="Redaction">
        <Stack gap="xl">
          <Section title="Built-in patterns" description="Each finds what has its form, not what it means">
            <BuiltInPatterns {...fields} />
          </Section>
          <Section
            title="Own patterns"
            description={`In RE2's syntax; flags go first, such as (?i). At most ${redactionsMax} rules with the built-in ones`}
          >
            <OwnPatterns {...fields} />
          </Section>
          <EditNotices edit={save.view} />
          <FormError error={save.error} />
          <Group gap="xs">
            <ActionButton operation="PUT /v0/ingest-settings" type="submit" loading={save.isPending}>
              Save
            </ActionButton>
            <RequestButton requests={[updateIngestSettings(redactions)]} />
            <Text size="sm" c="dimmed" role="status">
              <State isSaved={save.isSaved} settings={settings} />
            </Text>
          </Group>
        </Stack>
      </form>
      <Section title="Try it" description="By the rules as they stand in the form; nothing is stored">
        <TryPanel
          redactions={redactions}
          redacted={trial.data?.text}
          isPending={trial.isPending}
          error={trial.error}
          onTry={(request) => {
            save.reset();
            trial.mutate(request);
          }}
        />
      </Section>
    </Beside>
  );
}

function State({ isSaved, settings }: { readonly isSaved: boolean; readonly settings: IngestSettings }) {
  if (isSaved) return "Saved: what arrives from now on is redacted by these rules, everywhere within five seconds";
  const isEmpty = !settings.redactions.some(({ enabled }) => enabled);
  if (settings.modifiedAt === null) return "Nothing is redacted yet";
  return (
    <>
      {isEmpty ? "Nothing is redacted; set" : "Set"} <Time value={settings.modifiedAt} />
    </>
  );
}
