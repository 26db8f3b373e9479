// What can be done with a variant in its state.

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Play } from "lucide-react";
import { RunVariant } from "./run-variant.tsx";
import type { Variant } from "./variant-requests.ts";

interface VariantActionsProps {
  readonly variant: Variant;
  readonly baseline: Variant;
}

export function VariantActions({ variant, baseline }: VariantActionsProps) {
  const [isStarting, start] = useDisclosure();
  const canRun = variant.status === "DRAFT" || variant.status === "FAILED";
  const isTooEarly = variant.id !== baseline.id && baseline.status !== "COMPLETED";
  return (
    <>
      {canRun && (
        <Button
          variant="default"
          size="compact-xs"
          leftSection={<Play size={12} />}
          aria-label={`Run ${variant.title}`}
          title={isTooEarly ? "The baseline runs first" : undefined}
          disabled={isTooEarly}
          onClick={start.open}
        >
          Run
        </Button>
      )}
      {isStarting && <RunVariant variant={variant} onClose={start.close} />}
    </>
  );
}
