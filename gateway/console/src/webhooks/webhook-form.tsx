// Form that sets up the webhook, or changes its URL and headers.

import { ActionIcon, Button, Checkbox, Group, Input, Stack, TextInput } from "@mantine/core";
import { Plus, X } from "lucide-react";
import type { DraftInputs } from "../edits/use-draft.ts";
import { useNew } from "../edits/use-new.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { SecretField } from "../ui/secret-field.tsx";
import { TextField } from "../ui/text-field.tsx";
import { unmanaged } from "../ui/unmanaged.ts";
import { toDraft, toRequest, type WebhookDraft } from "./webhook-draft.ts";
import { refreshedByWebhook, setWebhook, type Webhook } from "./webhook-requests.ts";

interface WebhookFormProps {
  /** Webhook to change. Null creates one. */
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
  /** Called with the secret of a new webhook. */
  readonly onCreated: (secret: string) => void;
}

export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const form = useNew({
    newDraft: () => toDraft(webhook),
    create: (draft) => setWebhook(toRequest(draft, webhook)),
    refreshes: refreshedByWebhook,
    secrets: ["headers"],
    onCreated: ({ data }) => {
      onClose();
      if (webhook === null) onCreated(data.webhookSecret);
    },
  });
  const names = Object.keys(webhook?.headers ?? {});
  return (
    <FormModal
      title={webhook === null ? "Set up the webhook" : "Edit the webhook"}
      size="lg"
      {...form.modal}
      submitLabel={webhook === null ? "Set up" : "Save"}
      onClose={onClose}
    >
      <TextField
        label="URL"
        description="https, with a public host"
        placeholder="https://hooks.example.com/ems"
        type="url"
        required
        data-autofocus
        {...form.input("url")}
      />
      {names.length > 0 && (
        <Checkbox label={`Replace its headers (${names.join(", ")})`} {...form.check("isReplacing")} />
      )}
      {form.draft.isReplacing && <Headers {...form} />}
    </FormModal>
  );
}

function Headers({ draft, errors, input, list }: DraftInputs<WebhookDraft>) {
  return (
    <Input.Wrapper
      label="Additional headers"
      description="Sent with each delivery, such as the authorization that the receiver expects"
      error={errors.headers}
      labelElement="div"
    >
      <Stack gap={6} mt={6}>
        {draft.headers.map(({ name }, at) => (
          <Group key={at} gap={6} wrap="nowrap">
            <TextInput
              {...unmanaged}
              aria-label={`Name of header ${at + 1}`}
              name="header-name"
              autoComplete="off"
              placeholder="Name"
              {...input(`headers.${at}.name`)}
            />
            <SecretField
              aria-label={`Value of header ${at + 1}`}
              placeholder="Value"
              flex={1}
              {...input(`headers.${at}.value`)}
              // The path of an issue with a header contains the header's name.
              error={errors[`headers.${name}`]}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Remove header ${at + 1}`}
              onClick={() => list.remove("headers", at)}
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => list.add("headers", { name: "", value: "" })}
          style={{ alignSelf: "flex-start" }}
        >
          Add header
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}
