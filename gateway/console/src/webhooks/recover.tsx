// Form that resends events that have failed since a given time, after an outage of the receiver.

import { Text } from "@mantine/core";
import { useNew } from "../edits/use-new.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { TextField } from "../ui/text-field.tsx";
import { toLocalInput, validateSince } from "./recover-since.ts";
import { recoverDeliveries, refreshedByWebhook } from "./webhook-requests.ts";

const dayMs = 86_400_000;

export function Recover({ onClose }: { readonly onClose: () => void }) {
  const { input, created, modal } = useNew({
    newDraft: () => ({ since: toLocalInput(new Date(Date.now() - dayMs)) }),
    validate: validateSince,
    create: ({ since }) => recoverDeliveries(new Date(since).toISOString()),
    refreshes: refreshedByWebhook,
    isRepeatable: true,
  });
  return (
    <FormModal title="Recover failed deliveries" {...modal} submitLabel="Send again" onClose={onClose}>
      <Text size="sm">
        Sends failed events again that were created since this time, with the current URL, headers and secret. Test
        prompts are not sent again: run their tasks instead.
      </Text>
      <TextField type="datetime-local" label="Since" required data-autofocus {...input("since")} />
      {created !== undefined && (
        <Text size="sm" role="status">
          {`Sending ${plural(created.count, "event")} again.`}
        </Text>
      )}
    </FormModal>
  );
}
