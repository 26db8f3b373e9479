import { Button, Group, MultiSelect, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import { TextField } from "../ui/text-field.tsx";
import { timesOf } from "../url/day-range.ts";
import { isScope, purposes, type Scope, scopes } from "./key-scopes.ts";
import { createKey, refreshedByKeys } from "./settings-requests.ts";

type Purpose = keyof typeof purposes | "chosen";

const isPurpose = (value: string | null): value is Purpose => purposeChoices.some((choice) => choice.value === value);
const purposeChoices = [
  ...Object.entries(purposes).map(([value, { label }]) => ({ value, label })),
  { value: "chosen", label: "What I choose" },
];

/** Creates a key, and shows it: nothing shows it later. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [purpose, setPurpose] = useState<Purpose>("everything");
  const [chosen, setChosen] = useState<Scope[]>([]);
  const [scopeIssue, setScopeIssue] = useState<string>();
  const [lastDay, setLastDay] = useState("");
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
  const issues = issuesByField(error);
  const create = () => {
    // Without scopes a key may do everything.
    const isMissing = purpose === "chosen" && chosen.length === 0;
    setScopeIssue(isMissing ? "Choose at least one" : undefined);
    if (isMissing) return;
    const scopesOfKey = purpose === "chosen" ? chosen : [...purposes[purpose].scopes];
    mutate({ name, scopes: scopesOfKey, expiresAt: lastDay === "" ? null : timesOf({ to: lastDay }).endDate });
  };
  return (
    <FormModal
      title="New key"
      submitLabel="Create"
      isOpen
      onClose={onClose}
      onSubmit={create}
      isSaving={isPending}
      error={error}
    >
      <TextField
        label="Name"
        description="Who or what uses it"
        required
        data-autofocus
        value={name}
        error={issues.name}
        onChange={setName}
      />
      <Select
        label="May do"
        data={purposeChoices}
        allowDeselect={false}
        value={purpose}
        onChange={(value) => setPurpose(isPurpose(value) ? value : "everything")}
      />
      {purpose === "chosen" && (
        <MultiSelect
          label="Scopes"
          description="A group's write includes its read"
          required
          searchable
          clearable
          clearButtonProps={{ "aria-label": "No scopes" }}
          data={scopes}
          value={chosen}
          error={scopeIssue ?? issues.scopes}
          onChange={(values) => setChosen(values.filter(isScope))}
        />
      )}
      <TextField
        type="date"
        label="Last day"
        description="Without one the key does not expire"
        value={lastDay}
        error={issues.expiresAt}
        onChange={setLastDay}
      />
    </FormModal>
  );
}
