// Compares one variant with the baseline or another variant: difference, changed tasks and configurations.

import { Stack, Text } from "@mantine/core";
import { ChangedTasks } from "../comparisons/changed-tasks.tsx";
import type { Comparison } from "../comparisons/comparison-requests.ts";
import { DifferenceFacts } from "../comparisons/difference-facts.tsx";
import { Section } from "../ui/section.tsx";
import { ConfigDiff } from "./config-diff.tsx";
import type { VariantSearch } from "./experiment-search.ts";
import type { Variant } from "./variant-requests.ts";

interface ChosenVariantProps {
  readonly reference: Variant;
  readonly variant: Variant;
  readonly comparison: Comparison | null | undefined;
  readonly search: VariantSearch;
  readonly onSearch: (change: Partial<VariantSearch>) => void;
}

export function ChosenVariant({ reference, variant, comparison, search, onSearch }: ChosenVariantProps) {
  const names = { baseline: reference.title, variant: variant.title };
  const place = reference.parentId === null ? "the baseline" : reference.title;
  return (
    <Stack gap="xl">
      <Section title={`${variant.title} vs. ${place}`} description={variant.description || undefined}>
        {comparison == null || comparison.difference === null ? (
          <Text size="sm" c="dimmed">
            Run both variants to compare them.
          </Text>
        ) : (
          <DifferenceFacts difference={comparison.difference} detect={search.detect} />
        )}
      </Section>
      {comparison != null && (
        <ChangedTasks tasks={comparison.changedTasks} names={names} search={search} onSearch={onSearch} />
      )}
      <ConfigDiff before={reference} after={variant} />
    </Stack>
  );
}
