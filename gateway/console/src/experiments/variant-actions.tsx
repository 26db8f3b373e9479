// Buttons for actions on a variant, which depend on its status.

import { Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CirclePause, CirclePlay, Pencil, Play, Trophy, X } from "lucide-react";
import { messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { Editing } from "../edits/editing.tsx";
import { ActionButton } from "../ui/action.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { FormModal } from "../ui/form-modal.tsx";
import type { Experiment } from "./experiment-requests.ts";
import { RunVariant } from "./run-variant.tsx";
import { VariantForm } from "./variant-form.tsx";
import {
  getVariant,
  promoteVariant,
  refreshedByVariants,
  rejectVariant,
  resumeVariant,
  stopVariant,
  type Variant,
} from "./variant-requests.ts";

interface VariantActionsProps {
  readonly experiment: Experiment;
  readonly variants: readonly Variant[];
  readonly variant: Variant;
  readonly baseline: Variant;
}

const resuming = "POST /v0/experiments/{id}/variants/{variantId}/resume";
const stopping = "POST /v0/experiments/{id}/variants/{variantId}/stop";

export function VariantActions({ experiment, variants, variant, baseline }: VariantActionsProps) {
  const [isEditing, edit] = useDisclosure();
  const [isStarting, start] = useDisclosure();
  const [isPromoting, promote] = useDisclosure();
  const [isRejecting, reject] = useDisclosure();
  const { title, status, stopped } = variant;
  const of = { experimentId: variant.experimentId, variantId: variant.id };
  const flow = useChange(stopped ? resumeVariant : stopVariant, { refreshes: refreshedByVariants });
  const promotion = useChange(promoteVariant, { refreshes: refreshedByVariants, onDone: promote.close });
  const rejection = useChange(rejectVariant, { refreshes: refreshedByVariants, onDone: reject.close });
  const isBaseline = variant.id === baseline.id;
  const isPromoted = variant.id === experiment.promotedVariantId;
  const isTooEarly = !isBaseline && baseline.status !== "COMPLETED";
  const button = { variant: "default", size: "compact-xs" } as const;
  return (
    <Group gap={6}>
      {(status === "DRAFT" || status === "FAILED") && (
        <ActionButton
          operation="POST /v0/experiments/{id}/variants/{variantId}/run"
          {...button}
          leftSection={<Play size={12} />}
          aria-label={`Run ${title}`}
          title={isTooEarly ? "Run the baseline first" : undefined}
          disabled={isTooEarly}
          onClick={start.open}
        >
          Run
        </ActionButton>
      )}
      {status === "RUNNING" && (
        <ActionButton
          operation={stopped ? resuming : stopping}
          {...button}
          leftSection={stopped ? <CirclePlay size={12} /> : <CirclePause size={12} />}
          aria-label={`${stopped ? "Resume" : "Stop"} ${title}`}
          loading={flow.isPending}
          onClick={() => flow.mutate(of)}
        >
          {stopped ? "Resume" : "Stop"}
        </ActionButton>
      )}
      {status === "COMPLETED" && !isPromoted && (
        <ActionButton
          operation="POST /v0/experiments/{id}/variants/{variantId}/promote"
          {...button}
          leftSection={<Trophy size={12} />}
          aria-label={`Promote ${title}`}
          onClick={promote.open}
        >
          Promote
        </ActionButton>
      )}
      {!isBaseline && !isPromoted && status !== "REJECTED" && (
        <ActionButton
          operation="POST /v0/experiments/{id}/variants/{variantId}/reject"
          {...button}
          leftSection={<X size={12} />}
          aria-label={`Reject ${title}`}
          onClick={reject.open}
        >
          Reject
        </ActionButton>
      )}
      <ActionButton
        operation="PUT /v0/experiments/{id}/variants/{variantId}"
        {...button}
        leftSection={<Pencil size={12} />}
        aria-label={`Edit ${title}`}
        onClick={edit.open}
      >
        Edit
      </ActionButton>
      {flow.error !== null && (
        <Text size="xs" c="var(--ems-bad)" role="alert">
          {messageOfError(flow.error)}
        </Text>
      )}
      {isEditing && (
        <Editing request={getVariant(of)} title={`Edit ${title}`} onClose={edit.close}>
          {(loaded) => (
            <VariantForm
              experiment={experiment}
              variants={variants}
              baseline={isBaseline ? undefined : baseline}
              variant={loaded}
              onClose={edit.close}
            />
          )}
        </Editing>
      )}
      {isStarting && <RunVariant variant={variant} onClose={start.close} />}
      <FormModal
        title={`Promote ${title}`}
        submitLabel="Promote"
        isOpen={isPromoting}
        onClose={promote.close}
        onSubmit={() => promotion.mutate(of)}
        isSaving={promotion.isPending}
        error={promotion.error}
      >
        <Text size="sm">
          Makes this variant the experiment's choice and replaces an earlier one. The application receives the
          configuration in the event experiment_variant.promoted.
        </Text>
      </FormModal>
      <Confirm
        title={`Reject ${title}`}
        confirmLabel="Reject"
        isOpen={isRejecting}
        onClose={reject.close}
        onConfirm={() => rejection.mutate(of)}
        isSaving={rejection.isPending}
        error={rejection.error}
      >
        A rejected variant cannot be run or promoted. Its results are kept; its unsent prompts are canceled.
      </Confirm>
    </Group>
  );
}
