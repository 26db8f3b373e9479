// Sends again what failed since a time, after an outage of the receiver.

import { Text } from "@mantine/core";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { TextField } from "../ui/text-field.tsx";
import { recoverDeliveries, refreshedByWebhook } from "./webhook-requests.ts";

const dayMs = 86_400_000;

/** As an input of date and time has it, in the viewer's zone. */
const localInput = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export function Recover({ onClose }: { readonly onClose: () => void }) {
  const [since, setSince] = useState(() => localInput(new Date(Date.now() - dayMs)));
  const { mutate, isPending, error, data } = useChange(recoverDeliveries, { refreshes: refreshedByWebhook });
  const isValid = !Number.isNaN(Date.parse(since));
  return (
    <FormModal
      title="Recover failed deliveries"
      submitLabel="Send again"
      isOpen
      onClose={onClose}
      onSubmit={() => isValid && mutate(new Date(since).toISOString())}
      isSaving={isPending}
      error={error}
    >
      <Text size="sm">
        Events that were created since this time and have failed are sent again at once, with the URL, headers and
        secret of now. Prompts of tests are not: run their tasks again.
      </Text>
      <TextField
        type="datetime-local"
        label="Since"
        required
        data-autofocus
        value={since}
        error={isValid ? issuesByField(error).since : "Not a time"}
        onChange={setSince}
      />
      {data !== undefined && (
        <Text size="sm" role="status">
          {`${plural(data.count, "event")} on the way again.`}
        </Text>
      )}
    </FormModal>
  );
}
