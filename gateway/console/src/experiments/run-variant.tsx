// Starts a run of a variant.

import { Checkbox, NumberInput, Text } from "@mantine/core";
import { useState } from "react";
import { issuesByField } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { refreshedByVariants, runVariant, type Variant } from "./variant-requests.ts";

interface RunVariantProps {
  readonly variant: Variant;
  readonly onClose: () => void;
}

export function RunVariant({ variant: { id, experimentId, title, parentId }, onClose }: RunVariantProps) {
  const [repeat, setRepeat] = useState(1);
  const [simulate, setSimulate] = useState(false);
  const { mutate, isPending, error } = useChange(runVariant, { refreshes: refreshedByVariants, onDone: onClose });
  const issues = issuesByField(error);
  return (
    <FormModal
      title={`Run ${title}`}
      submitLabel="Run"
      isOpen
      onClose={onClose}
      onSubmit={() => mutate({ experimentId, variantId: id, repeat, simulate })}
      isSaving={isPending}
      error={error}
    >
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
        value={repeat}
        error={issues.repeat}
        onChange={(value) => setRepeat(typeof value === "number" ? value : 1)}
      />
      <Checkbox
        label="A simulated user writes the prompts"
        description="Needs a model connection"
        checked={simulate}
        error={issues.simulate}
        onChange={(event) => setSimulate(event.currentTarget.checked)}
      />
    </FormModal>
  );
}
