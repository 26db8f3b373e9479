import { Group, Stack } from "@mantine/core";
import { FlaskConical } from "lucide-react";
import { type FormEvent, useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { ActionButton } from "../ui/action.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { FormError } from "../ui/form-error.tsx";
import { RequestButton } from "../ui/request-button.tsx";
import { LongTextField } from "../ui/text-field.tsx";
import { type NewRedaction, testIngestSettings } from "./redaction-requests.ts";

interface TryPanelProps {
  readonly redactions: NewRedaction[];
  /** What the trial made of the text; undefined while there is none. */
  readonly redacted: string | undefined;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onTry: (request: Parameters<typeof testIngestSettings>[0]) => void;
}

export function TryPanel({ redactions, redacted, isPending, error, onTry }: TryPanelProps) {
  const [text, setText] = useState("");
  const request = { text, redactions };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTry(request);
  };
  return (
    <form onSubmit={submit} noValidate aria-label="Trial">
      <Stack gap="sm">
        <LongTextField
          label="Text"
          placeholder="As the application would send it"
          minRows={4}
          maxRows={14}
          value={text}
          error={issuesByField(error).text}
          onChange={setText}
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
