import { Text } from "@mantine/core";
import { GitCompareArrows } from "lucide-react";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { ButtonLink } from "../ui/link.tsx";

/** Bar with a link that compares two selected runs. The older run is the baseline. */
export function RunBulkBar({ ids }: { readonly ids: readonly string[] }) {
  // Sorting ids sorts by creation time, because they are UUIDs of version 7.
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
