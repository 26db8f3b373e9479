import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";
import { createKey, refreshedByKeys } from "./settings-requests.ts";

/** Creates a key, and shows it: nothing shows it later. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const { mutate, isPending, error, data } = useChange(createKey, { refreshes: refreshedByKeys });
  if (data !== undefined) {
    return (
      <Dialog isOpen title="The new key" onClose={onClose}>
        <Stack gap="sm">
          <Text size="sm">Store it where your secrets are: nothing shows it later.</Text>
          <CodeBlock text={data.data.key} label="API key" />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have stored it</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormModal
      title="New key"
      submitLabel="Create"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ name })}
      isSaving={isPending}
      error={error}
    >
      <TextField
        label="Name"
        description="Who or what uses it"
        required
        data-autofocus
        value={name}
        error={issuesByField(error).name}
        onChange={setName}
      />
    </FormModal>
  );
}
