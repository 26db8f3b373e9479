import { Alert, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { KeyRound, Pencil, Send, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { ActionButton } from "../ui/action.tsx";
import { Status } from "../ui/badges.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { EmptyState } from "../ui/states.tsx";
import { Time } from "../ui/time.tsx";
import { outcomeText } from "./delivery-columns.tsx";
import { DeliveryTable } from "./delivery-table.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { Verification } from "./verification.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import {
  deleteWebhook,
  getWebhook,
  listDeliveries,
  refreshedByWebhook,
  rotateSecret,
  setWebhook,
  testWebhook,
  type Webhook,
} from "./webhook-requests.ts";
import classes from "./webhooks.module.css";

export default function WebhookPage() {
  const [isEditing, edit] = useDisclosure();
  /** New secret, displayed now because no page can display it later. */
  const [secret, setSecret] = useState<string>();
  const setUp = (
    <ActionButton operation="POST /v0/webhook" onClick={edit.open}>
      Set up the webhook
    </ActionButton>
  );
  return (
    <>
      <Detail request={getWebhook()} title="Webhook">
        {({ data: webhook }) => (
          <>
            {webhook === null ? (
              <NoWebhook action={setUp} />
            ) : (
              <WebhookDetail webhook={webhook} onEdit={edit.open} onSecret={setSecret} />
            )}
            {isEditing && <WebhookForm webhook={webhook} onClose={edit.close} onCreated={setSecret} />}
          </>
        )}
      </Detail>
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

function NoWebhook({ action }: { readonly action: ReactNode }) {
  return (
    <Page title="Webhook" description="URL for events and test prompts" requests={[getWebhook()]}>
      <EmptyState title="No webhook yet" action={action} request={setWebhook({ url: "https://hooks.example.com/ems" })}>
        The webhook is the application's URL for events and test prompts. Each request is signed with a secret.
      </EmptyState>
    </Page>
  );
}

interface WebhookDetailProps {
  readonly webhook: Webhook;
  readonly onEdit: () => void;
  readonly onSecret: (secret: string) => void;
}

const reasons: Readonly<Record<string, string>> = {
  GONE: "The receiver answered 410 Gone.",
  FAILING: "Every delivery failed for days.",
};
const latest = listDeliveries({ limit: 10 });

function WebhookDetail({ webhook, onEdit, onSecret }: WebhookDetailProps) {
  const [isRotating, rotate] = useDisclosure();
  const [isDeleting, remove] = useDisclosure();
  const trial = useChange(testWebhook, { refreshes: refreshedByWebhook });
  const rotation = useChange(rotateSecret, {
    refreshes: refreshedByWebhook,
    onDone: ({ data }) => {
      rotate.close();
      onSecret(data.webhookSecret);
    },
  });
  const deletion = useChange(deleteWebhook, { refreshes: refreshedByWebhook, onDone: remove.close });
  const isDisabled = webhook.disabledAt !== null;
  const headers = Object.keys(webhook.headers);
  return (
    <Page
      title="Webhook"
      mark={<Status value={isDisabled ? "DISABLED" : "ACTIVE"} />}
      description={<span className={classes.url}>{webhook.url}</span>}
      requests={[getWebhook(), latest]}
      actions={
        <>
          <ActionButton
            operation="POST /v0/webhook/test"
            leftSection={<Send size={14} />}
            loading={trial.isPending}
            onClick={() => trial.mutate(undefined)}
          >
            Send a test
          </ActionButton>
          <ActionButton
            operation="POST /v0/webhook"
            variant="default"
            leftSection={<Pencil size={14} />}
            onClick={onEdit}
          >
            {isDisabled ? "Edit and enable" : "Edit"}
          </ActionButton>
          <ActionButton
            operation="POST /v0/webhook/rotate-secret"
            variant="default"
            leftSection={<KeyRound size={14} />}
            onClick={rotate.open}
          >
            Rotate secret
          </ActionButton>
          <ActionButton
            operation="DELETE /v0/webhook"
            variant="default"
            leftSection={<Trash2 size={14} />}
            onClick={remove.open}
          >
            Delete
          </ActionButton>
        </>
      }
    >
      <Stack gap="xl">
        {trial.error !== null && (
          <Alert color="red" role="alert" p="xs">
            {messageOfError(trial.error)}
          </Alert>
        )}
        {trial.data !== undefined && !trial.isPending && (
          <Alert color={trial.data.success ? "green" : "red"} role="status" p="xs">
            {trial.data.success ? "The receiver acknowledged the test: " : "The test failed: "}
            {outcomeText(trial.data.statusCode, trial.data.error)}
          </Alert>
        )}
        {isDisabled && (
          <Alert color="red" p="xs" title="Disabled: nothing is sent">
            {`${reasons[webhook.disabledReason ?? ""] ?? ""} Save it again to enable it, then recover failed deliveries.`}
          </Alert>
        )}
        <Facts
          rows={[
            ["Additional headers", headers.length === 0 ? "None" : headers.join(", ")],
            isDisabled && ["Disabled", <Time key="disabled" value={webhook.disabledAt} />],
            ["Created", <Time key="created" value={webhook.createdAt} />],
            ["Changed", <Time key="changed" value={webhook.modifiedAt} />],
          ]}
        />
        <Section
          title="Latest deliveries"
          actions={
            <>
              <AnchorLink to="/deliveries" search={{ status: ["FAILED"] }} size="sm">
                Failed deliveries
              </AnchorLink>
              <AnchorLink to="/deliveries" size="sm">
                All deliveries
              </AnchorLink>
            </>
          }
        >
          <DeliveryTable request={latest}>No deliveries yet. Send a test to create one.</DeliveryTable>
        </Section>
        <Verification />
      </Stack>
      <Confirm
        title="Rotate the secret?"
        confirmLabel="Rotate"
        isOpen={isRotating}
        onClose={rotate.close}
        onConfirm={() => rotation.mutate(undefined)}
        isSaving={rotation.isPending}
        error={rotation.error}
      >
        For a while, deliveries are signed with the new and the previous secret, so that the receiver can switch without
        losing events. Another rotation in that time ends the previous secret at once.
      </Confirm>
      <Confirm
        title="Delete the webhook?"
        confirmLabel="Delete"
        isOpen={isDeleting}
        onClose={remove.close}
        onConfirm={() => deletion.mutate(undefined)}
        isSaving={deletion.isPending}
        error={deletion.error}
      >
        Cancels pending deliveries. Tests that need prompts will fail.
      </Confirm>
    </Page>
  );
}
