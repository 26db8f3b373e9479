// Form to create or edit a model connection. The API never returns the provider's API key.

import { Checkbox, Group, NumberInput, Select, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { Loaded } from "../api/conditional.ts";
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
const optional = <Name extends string>(name: Name, value: Amount) =>
  (typeof value === "number" ? { [name]: value } : {}) as { [K in Name]?: number };

const toDraft = (connection: ModelConnection | undefined) => ({
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
type ConnectionDraft = ReturnType<typeof toDraft>;
const field = fieldFor<ConnectionDraft>();
const fields = [
  field("name", "Name"),
  field("provider", "Provider"),
  field("model", "Model"),
  field("baseUrl", "Base URL"),
  // Never display a key. An empty field means that the stored key is kept.
  field("apiKey", "Provider API key", (key) => (key === "" ? "Stored key" : "New key")),
  field("input", "Input price ($ per million tokens)"),
  field("output", "Output price ($ per million tokens)"),
  field("requests", "Calls per minute"),
  field("tokens", "Tokens per minute"),
  field("concurrency", "Max concurrent calls"),
  field("isDefault", "Use as the default judge"),
];

const names = {
  "prices.inputPerMillion": "input",
  "prices.outputPerMillion": "output",
  "limits.requestsPerMinute": "requests",
  "limits.tokensPerMinute": "tokens",
  "limits.concurrency": "concurrency",
};

function toBody(draft: ConnectionDraft) {
  const { name, provider, baseUrl, model, apiKey, isDefault, input, output, requests, tokens, concurrency } = draft;
  const limits = {
    ...optional("requestsPerMinute", requests),
    ...optional("tokensPerMinute", tokens),
    ...optional("concurrency", concurrency),
  };
  return {
    name,
    provider,
    model,
    default: isDefault,
    ...(baseUrl !== "" && { baseUrl }),
    ...(apiKey !== "" && { apiKey }),
    ...((typeof input === "number" || typeof output === "number") && {
      prices: { inputPerMillion: Number(input) || 0, outputPerMillion: Number(output) || 0 },
    }),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const navigate = useNavigate();
  const edit = useEdit({
    loaded: connection,
    newDraft: () => toDraft(undefined),
    create: (draft) => createConnection(toBody(draft)),
    onCreated: ({ data }) => void navigate({ to: "/settings/models/$connectionId", params: { connectionId: data.id } }),
    names,
    secrets: ["apiKey"],
    toDraft: ({ data }) => toDraft(data),
    fields,
    makeRequest: (draft, { data: { id } }) => updateConnection({ id, ...toBody(draft) }),
    refreshes: refreshedByConnections,
    onSaved: onClose,
  });
  const { draft } = edit;
  const stored = connection?.body.data;
  const apiKeyField = (
    <SecretField
      label="Provider API key"
      description={stored === undefined ? "Stored encrypted and never displayed" : "Replaces the stored key"}
      flex={1}
      {...edit.input("apiKey")}
    />
  );
  return (
    <FormModal
      title={stored === undefined ? "New connection" : "Edit connection"}
      size="lg"
      {...edit.modal}
      onClose={onClose}
    >
      <TextInput label="Name" required data-autofocus {...edit.input("name")} />
      <Group grow align="flex-start">
        <Select label="Provider" allowDeselect={false} data={providers} {...edit.input("provider")} />
        <TextInput
          label="Model"
          description="Model name at the provider"
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          {...edit.input("model")}
        />
      </Group>
      <TextInput
        label="Base URL"
        // Not a text field: password managers treat a text field before a password as the user name.
        type="url"
        name="base-url"
        autoComplete="off"
        {...unmanaged}
        placeholder={draft.provider === "openai-compatible" ? "https://models.example.com/v1" : "Default URL"}
        required={draft.provider === "openai-compatible"}
        {...edit.input("baseUrl")}
      />
      {stored === undefined ? (
        apiKeyField
      ) : (
        <StoredSecret
          label="Provider API key"
          description={
            stored.apiKeyLastFour === null
              ? "The stored key is kept"
              : `The stored key ends with ${stored.apiKeyLastFour}`
          }
          replaceLabel="Replace key"
          error={edit.errors.apiKey}
          onKeep={() => edit.set({ apiKey: "" })}
        >
          {apiKeyField}
        </StoredSecret>
      )}
      <Group grow align="flex-start">
        <NumberInput
          label="Input price ($ per million tokens)"
          placeholder="Default price"
          min={0}
          {...edit.input("input")}
        />
        <NumberInput
          label="Output price ($ per million tokens)"
          placeholder="Default price"
          min={0}
          {...edit.input("output")}
        />
      </Group>
      <Group grow align="flex-start">
        <NumberInput label="Calls per minute" placeholder="No limit" min={1} {...edit.input("requests")} />
        <NumberInput label="Tokens per minute" placeholder="No limit" min={1} {...edit.input("tokens")} />
        <NumberInput label="Max concurrent calls" placeholder="No limit" min={1} {...edit.input("concurrency")} />
      </Group>
      <Checkbox label="Use as the default judge" {...edit.check("isDefault")} />
    </FormModal>
  );
}
