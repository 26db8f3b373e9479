// Form for the prices of models.

import { ActionIcon, Button, Group, Paper, SimpleGrid, Text } from "@mantine/core";
import { Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Loaded } from "../api/conditional.ts";
import type { DraftInputs } from "../edits/use-draft.ts";
import { useEdit } from "../edits/use-edit.ts";
import { ActionButton } from "../ui/action.tsx";
import { Form } from "../ui/form.tsx";
import { count } from "../ui/format.ts";
import { RequestButton } from "../ui/request-button.tsx";
import { TextField } from "../ui/text-field.tsx";
import {
  amounts,
  newPrice,
  type Price,
  type PricesDraft,
  priceFields,
  toDraft,
  toModelPrice,
  withModels,
} from "./price-draft.ts";
import { type ModelPrices, pricesMax, updateModelPrices } from "./price-requests.ts";

interface PriceEditorProps {
  readonly loaded: Loaded<{ readonly data: ModelPrices }>;
  /** Models that need a price. */
  readonly models: readonly string[];
}

export function PriceEditor({ loaded, models }: PriceEditorProps) {
  const edit = useEdit({
    loaded,
    toDraft,
    storedDraft: toDraft,
    fields: priceFields,
    makeRequest: ({ prices }) => updateModelPrices(prices.map(toModelPrice)),
    refreshes: ["/v0/model-prices"],
  });
  const { prices } = edit.draft;
  const [opened] = useState({ prices, needed: withModels(edit.draft, models) });
  const hasNeeded = opened.needed.length > opened.prices.length;
  const isAdded = useRef(false);
  const { set } = edit;
  useEffect(() => {
    if (isAdded.current || !hasNeeded) return;
    isAdded.current = true;
    // Add them after the form has opened, because they are changes that are not saved.
    set({ prices: opened.needed });
  }, [hasNeeded, opened, set]);
  const onPrices = (changed: readonly Price[]) => {
    edit.set({ prices: changed });
    // Clear the errors: they belong to prices by index, and removing a price changes the indexes.
    if (changed.length < prices.length) edit.reset();
  };
  return (
    <Form
      title="Model prices"
      label="Model prices"
      gap="sm"
      {...edit.modal}
      footer={
        <Group gap="xs">
          <ActionButton operation="PUT /v0/model-prices" type="submit" loading={edit.isPending}>
            Save
          </ActionButton>
          <RequestButton requests={[updateModelPrices(prices.map(toModelPrice))]} />
          <Text size="sm" c="dimmed" role="status">
            {edit.isSaved && "Saved: new steps have these prices within five seconds"}
          </Text>
        </Group>
      }
    >
      {models.length > 0 && !hasNeeded && (
        <Text size="sm" role="status">
          {models.join(", ")}: priced. Reprice stored traces to add the cost of earlier steps
        </Text>
      )}
      {prices.length === 0 && (
        <Text size="sm" c="dimmed">
          No prices yet
        </Text>
      )}
      {prices.map((price, index) => (
        <PriceFields
          key={index}
          price={price}
          number={index + 1}
          form={edit}
          isFocused={hasNeeded && index === opened.prices.length}
          onRemove={() => onPrices(prices.toSpliced(index, 1))}
        />
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={14} />}
        style={{ alignSelf: "flex-start" }}
        disabled={prices.length >= pricesMax}
        onClick={() => onPrices([...prices, newPrice()])}
      >
        Add a price
      </Button>
    </Form>
  );
}

interface PriceFieldsProps {
  readonly price: Price;
  readonly number: number;
  readonly form: DraftInputs<PricesDraft>;
  /** True to move the focus to the first amount. */
  readonly isFocused: boolean;
  readonly onRemove: () => void;
}

function PriceFields({ price, number, form: { input }, isFocused, onRemove }: PriceFieldsProps) {
  const path = `prices.${number - 1}` as const;
  const amount = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) amount.current?.focus();
  }, [isFocused]);
  return (
    <Paper withBorder p="sm" m={0} component="fieldset" aria-label={`Price ${number}`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <TextField label="Model" required spellCheck={false} style={{ flexGrow: 1 }} {...input(`${path}.model`)} />
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove price ${number}`} onClick={onRemove}>
          <X size={14} />
        </ActionIcon>
      </Group>
      <SimpleGrid cols={{ base: 2, md: 5 }} spacing="xs" mt="xs">
        {amounts.map(({ name, label, isRequired }, index) => (
          <TextField
            key={name}
            ref={index === 0 ? amount : undefined}
            label={label}
            required={isRequired}
            inputMode="decimal"
            {...input(`${path}.${name}`)}
          />
        ))}
      </SimpleGrid>
      {price.tiers.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {count(price.tiers.length)} tiers for larger calls, set by the API
        </Text>
      )}
    </Paper>
  );
}
