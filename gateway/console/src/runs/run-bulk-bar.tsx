import { Text } from "@mantine/core";
import { GitCompareArrows } from "lucide-react";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { ButtonLink } from "../ui/link.tsx";

/** Two selected runs can be compared, the older one as the baseline. */
export function RunBulkBar({ ids }: { readonly ids: readonly string[] }) {
  // Ids begin with the time at which they were made.
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
          Select two to compare them
        </Text>
      )}
    </BulkBar>
  );
}
