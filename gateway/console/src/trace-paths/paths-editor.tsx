// Form for paths and noise rules, with a trial of the unsaved paths on a trace.

import { Group, Stack, Text } from "@mantine/core";
import type { Loaded } from "../api/conditional.ts";
import { useChange } from "../api/query.ts";
import { useIssues } from "../edits/use-draft.ts";
import { useEdit } from "../edits/use-edit.ts";
import { type IngestSettings, updateIngestSettings, withOtherSettings } from "../redaction/redaction-requests.ts";
import { ActionButton } from "../ui/action.tsx";
import { Form } from "../ui/form.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { Section } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { TwoColumns } from "../ui/two-columns.tsx";
import { NoiseRules } from "./noise-rules.tsx";
import { aboutPaths, draftFields, type PathsDraft, pathNames, toDraft, toNoise, toPaths } from "./paths-draft.ts";
import { RereadPanel } from "./reread-panel.tsx";
import { testTracePaths } from "./trace-path-requests.ts";
import { TryPaths } from "./try-paths.tsx";

const toSettings = (draft: PathsDraft) => ({ ...toPaths(draft), noise: toNoise(draft.noise) });

export function PathsEditor({ loaded }: { readonly loaded: Loaded<{ readonly data: IngestSettings }> }) {
  const edit = useEdit({
    loaded,
    toDraft,
    storedDraft: toDraft,
    fields: draftFields,
    makeRequest: (draft, { data }) => updateIngestSettings(withOtherSettings(data, toSettings(draft))),
    refreshes: ["/v0/ingest-settings"],
  });
  const trial = useChange(testTracePaths, { refreshes: [] });
  useIssues(edit, trial.error);
  const paths = toPaths(edit.draft);
  const submit = () => {
    if (trial.isError) trial.reset();
    edit.save();
  };
  return (
    <TwoColumns>
      <Form
        title="Trace paths"
        label="Trace paths"
        gap="xl"
        {...edit.modal}
        onSubmit={submit}
        footer={
          <Group gap="xs">
            <ActionButton operation="PUT /v0/ingest-settings" type="submit" loading={edit.isPending}>
              Save
            </ActionButton>
            <RequestButton
              requests={[updateIngestSettings(withOtherSettings(loaded.body.data, toSettings(edit.draft)))]}
            />
            <Text size="sm" c="dimmed" role="status">
              {edit.isSaved && "Saved: new data is read this way within five seconds"}
            </Text>
          </Group>
        }
      >
        <Section title="Paths" description="Sessions and end users are set when steps arrive">
          <Stack gap="sm">
            {pathNames.map((name) => (
              <TextField
                key={name}
                label={aboutPaths[name].label}
                placeholder={aboutPaths[name].example}
                spellCheck={false}
                styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
                {...edit.input(name)}
              />
            ))}
          </Stack>
        </Section>
        <NoiseRules form={edit} onRemoved={edit.reset} />
      </Form>
      <Stack gap="xl">
        <TryPaths
          paths={paths}
          results={trial.data?.data}
          isPending={trial.isPending}
          error={trial.error}
          onTry={(request) => {
            edit.reset();
            trial.mutate(request);
          }}
        />
        <RereadPanel />
      </Stack>
    </TwoColumns>
  );
}
