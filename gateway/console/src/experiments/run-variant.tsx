// Dialog that starts a run of a variant.

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
        Sends the prompts of the experiment's tasks to the application's webhook with this variant's configuration.
        {parentId === null && " This locks the experiment's tasks and inference steps."}
      </Text>
      <NumberInput
        label="Tests per prompt"
        description="Use more than one if answers vary"
        data-autofocus
        min={1}
        max={20}
        allowDecimal={false}
        {...form.input("repeat")}
      />
      <Checkbox
        label="Simulate the user"
        description="A model writes the prompts. Requires a model connection"
        {...form.check("simulate")}
      />
    </FormModal>
  );
}
