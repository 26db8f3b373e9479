// Creates a model connection, or replaces one. Its key is written and never read.

import { Checkbox, Group, NumberInput, PasswordInput, Select, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import {
  createConnection,
  type ModelConnection,
  refreshedByConnections,
  updateConnection,
} from "./settings-requests.ts";

interface ConnectionFormProps {
  readonly connection?: ModelConnection;
  readonly onClose: () => void;
}

const providers = ["openai", "anthropic", "openai-compatible"] as const;
type Amount = number | "";
const amount = (value: string | number): Amount => (typeof value === "number" ? value : "");
const given = <Name extends string>(name: Name, value: Amount) =>
  (value === "" ? {} : { [name]: value }) as { [K in Name]?: number };

export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const navigate = useNavigate();
  const [draft, setDraft] = useState(() => ({
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
  }));
  const set = (change: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...change }));
  const creation = useChange(createConnection, {
    refreshes: refreshedByConnections,
    onDone: ({ data }) => void navigate({ to: "/settings/models/$connectionId", params: { connectionId: data.id } }),
  });
  const change = useChange(updateConnection, { refreshes: refreshedByConnections, onDone: onClose });
  const { error, isPending } = connection === undefined ? creation : change;
  const issues = issuesByField(error);
  const save = () => {
    const { name, provider, baseUrl, model, apiKey, isDefault, input, output, requests, tokens, concurrency } = draft;
    const limits = {
      ...given("requestsPerMinute", requests),
      ...given("tokensPerMinute", tokens),
      ...given("concurrency", concurrency),
    };
    const body = {
      ...{ name, provider, model, default: isDefault },
      ...(baseUrl !== "" && { baseUrl }),
      ...(apiKey !== "" && { apiKey }),
      ...((input !== "" || output !== "") && {
        prices: { inputPerMillion: Number(input), outputPerMillion: Number(output) },
      }),
      ...(Object.keys(limits).length > 0 && { limits }),
    };
    if (connection === undefined) creation.mutate(body);
    else change.mutate({ id: connection.id, ...body });
  };
  return (
    <FormModal
      title={connection === undefined ? "New connection" : "Edit the connection"}
      submitLabel={connection === undefined ? "Create" : "Save"}
      size="lg"
      isOpen
      onClose={onClose}
      onSubmit={save}
      isSaving={isPending}
      error={error}
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
        placeholder={draft.provider === "openai-compatible" ? "https://models.example.com/v1" : "The provider's"}
        required={draft.provider === "openai-compatible"}
        value={draft.baseUrl}
        error={issues.baseUrl}
        onChange={(event) => set({ baseUrl: event.currentTarget.value })}
      />
      <PasswordInput
        label="Key of the provider"
        description={
          connection === undefined
            ? "Stored encrypted, and never shown"
            : connection.apiKeyLastFour === null
              ? "The one before stays when this is empty"
              : `Ends with ${connection.apiKeyLastFour}; it stays when this is empty`
        }
        autoComplete="off"
        visibilityToggleButtonProps={{ "aria-label": "Show the key" }}
        value={draft.apiKey}
        error={issues.apiKey}
        onChange={(event) => set({ apiKey: event.currentTarget.value })}
      />
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
