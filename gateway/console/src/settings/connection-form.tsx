// Creates a model connection, or replaces one. Its key is written and never read.

import { Checkbox, Group, NumberInput, Select, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { fieldFor } from "../edits/fields.ts";
import { useEdit } from "../edits/use-edit.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { SecretField, StoredSecret } from "../ui/secret-field.tsx";
import { unmanaged } from "../ui/unmanaged.ts";
import {
  createConnection,
  type ModelConnection,
  refreshedByConnections,
  updateConnection,
} from "./settings-requests.ts";

interface ConnectionFormProps {
  readonly connection?: Loaded<{ readonly data: ModelConnection }>;
  readonly onClose: () => void;
}

const providers = ["openai", "anthropic", "openai-compatible"] as const;
type Amount = number | "";
const amount = (value: string | number): Amount => (typeof value === "number" ? value : "");
const given = <Name extends string>(name: Name, value: Amount) =>
  (value === "" ? {} : { [name]: value }) as { [K in Name]?: number };

const draftOf = (connection: ModelConnection | undefined) => ({
  name: connection?.name ?? "",
  provider: providers.find((each) => each === connection?.provider) ?? "openai",
  baseUrl: connection?.baseUrl ?? "",
  model: connection?.model ?? "",
  apiKey: "",
  isDefault: connection?.default ?? true,
  input: (connection?.prices?.inputPerMillion ?? "") as Amount,
  output: (connection?.prices?.outputPerMillion ?? "") as Amount,
  requests: (connection?.limits?.requestsPerMinute ?? "") as Amount,
  tokens: (connection?.limits?.tokensPerMinute ?? "") as Amount,
  concurrency: (connection?.limits?.concurrency ?? "") as Amount,
});
type ConnectionDraft = ReturnType<typeof draftOf>;
const field = fieldFor<ConnectionDraft>();
const fields = [
  field("name", "Name"),
  field("provider", "Provider"),
  field("model", "Model"),
  field("baseUrl", "Base URL"),
  // A key is never shown, and the stored one stays while none is typed.
  field("apiKey", "Provider API key", (key) => (key === "" ? "The stored one" : "A new one")),
  field("input", "$ per million tokens of prompts"),
  field("output", "$ per million tokens of answers"),
  field("requests", "Calls a minute"),
  field("tokens", "Tokens a minute"),
  field("concurrency", "Calls at a time"),
  field("isDefault", "Judges where nothing else is said"),
];

function bodyOf(draft: ConnectionDraft) {
  const { name, provider, baseUrl, model, apiKey, isDefault, input, output, requests, tokens, concurrency } = draft;
  const limits = {
    ...given("requestsPerMinute", requests),
    ...given("tokensPerMinute", tokens),
    ...given("concurrency", concurrency),
  };
  return {
    name,
    provider,
    model,
    default: isDefault,
    ...(baseUrl !== "" && { baseUrl }),
    ...(apiKey !== "" && { apiKey }),
    ...((input !== "" || output !== "") && {
      prices: { inputPerMillion: Number(input), outputPerMillion: Number(output) },
    }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const navigate = useNavigate();
  const creation = useChange(createConnection, {
    refreshes: refreshedByConnections,
    onDone: ({ data }) => void navigate({ to: "/settings/models/$connectionId", params: { connectionId: data.id } }),
  });
  const edit = useEdit({
    loaded: connection,
    newDraft: () => draftOf(undefined),
    draftOf: ({ data }) => draftOf(data),
    fields,
    makeRequest: (draft, { data: { id } }) => updateConnection({ id, ...bodyOf(draft) }),
    refreshes: refreshedByConnections,
    onSaved: onClose,
  });
  const { draft, set } = edit;
  const stored = connection?.body.data;
  const { error, isPending } = stored === undefined ? creation : edit;
  const issues = issuesByField(error);
  const apiKeyField = (
    <SecretField
      label="Provider API key"
      description={stored === undefined ? "Stored encrypted, and never shown" : "Replaces the stored key"}
      flex={1}
      value={draft.apiKey}
      error={issues.apiKey}
      onChange={(apiKey) => set({ apiKey })}
    />
  );
  const save = () => (stored === undefined ? creation.mutate(bodyOf(draft)) : edit.save());
  return (
    <FormModal
      title={stored === undefined ? "New connection" : "Edit the connection"}
      submitLabel={stored === undefined ? "Create" : "Save"}
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
      edit={edit.view}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={draft.name}
        error={issues.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Group grow align="flex-start">
        <Select
          label="Provider"
          allowDeselect={false}
          data={providers}
          value={draft.provider}
          error={issues.provider}
          onChange={(value) => set({ provider: providers.find((each) => each === value) ?? "openai" })}
        />
        <TextInput
          label="Model"
          description="As the provider names it"
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          value={draft.model}
          error={issues.model}
          onChange={(event) => set({ model: event.currentTarget.value })}
        />
      </Group>
      <TextInput
        label="Base URL"
        // Password managers take a field before a password's for the name of a user.
        type="url"
        name="base-url"
        autoComplete="off"
        {...unmanaged}
        placeholder={draft.provider === "openai-compatible" ? "https://models.example.com/v1" : "The provider's"}
        required={draft.provider === "openai-compatible"}
        value={draft.baseUrl}
        error={issues.baseUrl}
        onChange={(event) => set({ baseUrl: event.currentTarget.value })}
      />
      {stored === undefined ? (
        apiKeyField
      ) : (
        <StoredSecret
          label="Provider API key"
          description={
            stored.apiKeyLastFour === null
              ? "The stored key stays"
              : `The stored key ends with ${stored.apiKeyLastFour}`
          }
          replaceLabel="Replace key"
          error={issues.apiKey}
          onKeep={() => set({ apiKey: "" })}
        >
          {apiKeyField}
        </StoredSecret>
      )}
      <Group grow align="flex-start">
        <NumberInput
          label="$ per million tokens of prompts"
          placeholder="Price table's"
          min={0}
          value={draft.input}
          error={issues["prices.inputPerMillion"]}
          onChange={(value) => set({ input: amount(value) })}
        />
        <NumberInput
          label="$ per million tokens of answers"
          placeholder="Price table's"
          min={0}
          value={draft.output}
          error={issues["prices.outputPerMillion"]}
          onChange={(value) => set({ output: amount(value) })}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput
          label="Calls a minute"
          placeholder="No limit"
          min={1}
          value={draft.requests}
          error={issues["limits.requestsPerMinute"]}
          onChange={(value) => set({ requests: amount(value) })}
        />
        <NumberInput
          label="Tokens a minute"
          placeholder="No limit"
          min={1}
          value={draft.tokens}
          error={issues["limits.tokensPerMinute"]}
          onChange={(value) => set({ tokens: amount(value) })}
        />
        <NumberInput
          label="Calls at a time"
          placeholder="No limit"
          min={1}
          value={draft.concurrency}
          error={issues["limits.concurrency"]}
          onChange={(value) => set({ concurrency: amount(value) })}
        />
      </Group>
      <Checkbox
        label="Judges where nothing else is said"
        checked={draft.isDefault}
        onChange={(event) => set({ isDefault: event.currentTarget.checked })}
      />
    </FormModal>
  );
}
