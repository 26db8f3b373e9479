// Sets up the webhook, or changes its URL and headers.

import { ActionIcon, Button, Checkbox, Group, Input, Stack, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { SecretField } from "../ui/secret-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { unmanaged } from "../ui/unmanaged.ts";
import { refreshedByWebhook, setWebhook, type Webhook } from "./webhook-requests.ts";

interface WebhookFormProps {
  /** Null for a new one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** With the secret of a new webhook. */
  readonly onCreated: (secret: string) => void;
}

interface Header {
  readonly name: string;
  readonly value: string;
}

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const names = Object.keys(webhook?.headers ?? {});
  // Values of headers are secrets: they are replaced as a whole, or stay.
  const [isReplacing, setReplacing] = useState(names.length === 0);
  const [headers, setHeaders] = useState<readonly Header[]>([]);
  const { mutate, isPending, error } = useChange(setWebhook, {
    refreshes: refreshedByWebhook,
    onDone: ({ data }) => {
      onClose();
      if (webhook === null) onCreated(data.webhookSecret);
    },
  });
  const issues = issuesByField(error);
  const save = () => {
    const named = headers.filter(({ name, value }) => name !== "" || value !== "");
    const values = Object.fromEntries(named.map(({ name, value }) => [name, value]));
    mutate({ url, ...(isReplacing && (named.length > 0 || names.length > 0) && { headers: values }) });
  };
  return (
    <FormModal
      title={webhook === null ? "Set up the webhook" : "Edit the webhook"}
      submitLabel={webhook === null ? "Set up" : "Save"}
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
    >
      <TextField
        label="URL"
        description="https, with a public host"
        placeholder="https://hooks.example.com/ems"
        type="url"
        required
        data-autofocus
        value={url}
        error={issues.url}
        onChange={setUrl}
      />
      {names.length > 0 && (
        <Checkbox
          label={`Replace its headers (${names.join(", ")})`}
          checked={isReplacing}
          onChange={(event) => setReplacing(event.currentTarget.checked)}
        />
      )}
      {isReplacing && <Headers headers={headers} issues={issues} onChange={setHeaders} />}
    </FormModal>
  );
}

interface HeadersProps {
  readonly headers: readonly Header[];
  readonly issues: Readonly<Record<string, string>>;
  readonly onChange: (headers: readonly Header[]) => void;
}

function Headers({ headers, issues, onChange }: HeadersProps) {
  const set = (at: number, change: Partial<Header>) =>
    onChange(headers.map((header, index) => (index === at ? { ...header, ...change } : header)));
  return (
    <Input.Wrapper
      label="Additional headers"
      description="Sent with each delivery, such as the authorization that the receiver expects"
      error={issues.headers}
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {headers.map(({ name, value }, at) => (
          <Group key={at} gap={6} wrap="nowrap">
            <TextInput
              {...unmanaged}
              aria-label={`Name of header ${at + 1}`}
              name="header-name"
              autoComplete="off"
              placeholder="Name"
              value={name}
              onChange={(event) => set(at, { name: event.currentTarget.value })}
            />
            <SecretField
              aria-label={`Value of header ${at + 1}`}
              placeholder="Value"
              flex={1}
              value={value}
              error={issues[`headers.${name}`]}
              onChange={(text) => set(at, { value: text })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove header ${at + 1}`}
              onClick={() => onChange(headers.toSpliced(at, 1))}
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => onChange([...headers, { name: "", value: "" }])}
          style={{ alignSelf: "flex-start" }}
        >
          Add header
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
