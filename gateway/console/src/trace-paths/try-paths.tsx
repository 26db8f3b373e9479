import { Group, Stack, Text } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import type { FormEvent } from "react";
import { useDraft, useIssues } from "../edits/use-draft.ts";
import { ActionButton } from "../ui/action.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { FormError } from "../ui/form-error.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { Section } from "../ui/section.tsx";
import { TextField } from "../ui/text-field.tsx";
import { aboutPaths, type PathName, pathNames } from "./paths-draft.ts";
import { type PathResults, testTracePaths } from "./trace-path-requests.ts";

interface TryPathsProps {
  readonly paths: Readonly<Record<PathName, string | null>>;
  readonly results: PathResults | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onTry: (request: Parameters<typeof testTracePaths>[0]) => void;
}

export function TryPaths({ paths, results, isPending, error, onTry }: TryPathsProps) {
  const { draft, setErrors, inputs } = useDraft(() => ({ id: "" }));
  useIssues({ setErrors }, error);
  const request = { ...paths, id: draft.id.trim() };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(request);
  };
  return (
    <Section title="Try it" description="Uses the unsaved paths; nothing is saved">
      <form onSubmit={submit} noValidate aria-label="Trial">
        <Stack gap="sm">
          <TextField label="Trace id" spellCheck={false} {...inputs.input("id")} />
          <FormError error={error} />
          <Group gap="xs">
            <ActionButton
              operation="POST /v0/traces/{id}/test-paths"
              type="submit"
              variant="light"
              leftSection={<FlaskConical size={14} />}
              loading={isPending}
            >
              Try
            </ActionButton>
            <RequestButton requests={[testTracePaths(request)]} />
          </Group>
          <div aria-live="polite">
            <Stack gap="sm">
              {pathNames.map((name) => {
                const result = results?.[name];
                return result == null ? null : (
                  <div key={name}>
                    <Text size="sm" fw={500}>
                      {aboutPaths[name].label}
                    </Text>
                    {result.reason === null ? (
                      <CodeBlock
                        text={result.values.join("\n\n")}
                        label={`Found ${aboutPaths[name].label}`}
                        maxHeight={160}
                      />
                    ) : (
                      <Text size="sm" c="dimmed">
                        {result.reason}
                      </Text>
                    )}
                  </div>
                );
              })}
            </Stack>
          </div>
        </Stack>
      </form>
    </Section>
  );
}
