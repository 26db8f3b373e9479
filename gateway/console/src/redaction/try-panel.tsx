import { Group, Stack } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import type { FormEvent } from "react";
import { useDraft, useIssues } from "../edits/use-draft.ts";
import { ActionButton } from "../ui/action.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { FormError } from "../ui/form-error.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { type NewRedaction, testIngestSettings } from "./redaction-requests.ts";

interface TryPanelProps {
  readonly redactions: NewRedaction[];
  /** Redacted text, as the trial returned it. */
  readonly redacted: string | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onTry: (request: Parameters<typeof testIngestSettings>[0]) => void;
}

export function TryPanel({ redactions, redacted, isPending, error, onTry }: TryPanelProps) {
  const { draft, setErrors, inputs } = useDraft(() => ({ text: "" }));
  useIssues({ setErrors }, error);
  const request = { ...draft, redactions };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(request);
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Trial">
      <Stack gap="sm">
        <LongTextField
          label="Text"
          placeholder="Text as the application sends it"
          minRows={4}
          maxRows={14}
          {...inputs.input("text")}
        />
        <FormError error={error} />
        <Group gap="xs">
          <ActionButton
            operation="POST /v0/ingest-settings/test"
            type="submit"
            variant="light"
            leftSection={<FlaskConical size={14} />}
            loading={isPending}
          >
            Redact
          </ActionButton>
          <RequestButton requests={[testIngestSettings(request)]} />
        </Group>
        <div aria-live="polite">{redacted !== undefined && <CodeBlock text={redacted} label="Redacted text" />}</div>
      </Stack>
    </form>
  );
}
