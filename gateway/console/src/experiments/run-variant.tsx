// Starts a run of a variant.

import { Checkbox, NumberInput, Text } from "@mantine/core";
import { useNew } from "../edits/use-new.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { refreshedByVariants, runVariant, type Variant } from "./variant-requests.ts";

interface RunVariantProps {
  readonly variant: Variant;
  readonly onClose: () => void;
}

export function RunVariant({ variant: { id, experimentId, title, parentId }, onClose }: RunVariantProps) {
  const form = useNew({
    newDraft: () => ({ repeat: 1, simulate: false }),
    create: ({ repeat, simulate }) =>
      runVariant({ experimentId, variantId: id, repeat: Number(repeat) || 1, simulate }),
    refreshes: refreshedByVariants,
    onCreated: onClose,
  });
  return (
    <FormModal title={`Run ${title}`} {...form.modal} submitLabel="Run" onClose={onClose}>
      <Text size="sm" c="dimmed">
        The prompts of the experiment's tasks are sent to the application's webhook, with this variant's configuration.
        {parentId === null && " From then on, the experiment's tasks and inference steps cannot be changed."}
      </Text>
      <NumberInput
        label="Tests of each prompt"
        description="More than one where the application's answers vary"
        data-autofocus
        min={1}
        max={20}
        allowDecimal={false}
        {...form.input("repeat")}
      />
      <Checkbox
        label="A simulated user writes the prompts"
        description="Needs a model connection"
        {...form.check("simulate")}
      />
    </FormModal>
  );
}
