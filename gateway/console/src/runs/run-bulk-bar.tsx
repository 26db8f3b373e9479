import { Text } from "@mantine/core";
import { GitCompareArrows } from "lucide-react";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { ButtonLink } from "../ui/link.tsx";

/** Compares two selected runs; the older one is the baseline. */
export function RunBulkBar({ ids }: { readonly ids: readonly string[] }) {
  // Ids sort by creation time (UUID version 7).
  const [a, b] = ids.toSorted();
  return (
    <BulkBar count={ids.length} noun="run">
      {ids.length === 2 ? (
        <ButtonLink
          to="/runs/compare"
          search={{ a, b }}
          variant="default"
          size="compact-xs"
          leftSection={<GitCompareArrows size={12} />}
        >
          Compare
        </ButtonLink>
      ) : (
        <Text size="sm" c="dimmed">
          Select two runs to compare
        </Text>
      )}
    </BulkBar>
  );
}
