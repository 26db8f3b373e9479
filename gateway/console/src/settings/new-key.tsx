import { Button, Group, MultiSelect, Select, Stack, Text } from "@mantine/core";
import { useNew } from "../edits/use-new.ts";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";
import { scopes } from "./key-scopes.ts";
import { fieldNames, newDraft, purposeChoices, toNewKey, validateKey } from "./new-key-draft.ts";
import { createKey, refreshedByKeys } from "./settings-requests.ts";

/** Form that creates an API key and displays it once. No page can display the key later. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { draft, input, created, modal } = useNew({
    newDraft: () => newDraft,
    validate: validateKey,
    create: (sent) => createKey(toNewKey(sent)),
    refreshes: refreshedByKeys,
    names: fieldNames,
  });
  if (created !== undefined) {
    return (
      <Dialog isOpen title="The new key" onClose={onClose}>
        <Stack gap="sm">
          <Text size="sm">Store it with your secrets now: you cannot view it later.</Text>
          <CodeBlock text={created.data.key} label="API key" />
          <Group justify="flex-end">
            <Button onClick={onClose}>I have stored it</Button>
          </Group>
        </Stack>
      </Dialog>
    );
  }
  return (
    <FormModal title="New key" {...modal} onClose={onClose}>
      <TextField label="Name" description="Person or program that uses it" required data-autofocus {...input("name")} />
      <Select label="May do" data={purposeChoices} allowDeselect={false} {...input("purpose")} />
      {draft.purpose === "chosen" && (
        <MultiSelect
          label="Scopes"
          description="Write access includes read access"
          required
          searchable
          clearable
          clearButtonProps={{ "aria-label": "No scopes" }}
          data={scopes}
          {...input("scopes")}
        />
      )}
      <TextField
        type="date"
        label="Last day"
        description="Leave empty for a key without an expiry"
        {...input("lastDay")}
      />
    </FormModal>
  );
}
