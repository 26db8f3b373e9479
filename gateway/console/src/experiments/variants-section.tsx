// An experiment's variants beside each other: what each changes, what it came to, and how it differs from the baseline.

import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Plus } from "lucide-react";
import { ComparisonTable } from "../comparisons/comparison-table.tsx";
import { ChoiceFilter } from "../ui/filters/choice-filter.tsx";
import { plural } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import type { Experiment } from "./experiment-requests.ts";
import type { VariantSearch } from "./experiment-search.ts";
import type { Variants } from "./use-variants.ts";
import { VariantForm } from "./variant-form.tsx";
import { VariantHead } from "./variant-head.tsx";
import { createVariant, type Variant } from "./variant-requests.ts";

interface VariantsSectionProps {
  readonly experiment: Experiment;
  readonly found: Variants;
  readonly search: VariantSearch;
  readonly onSearch: (change: Partial<VariantSearch>) => void;
}

export function VariantsSection({ experiment, found, search, onSearch }: VariantsSectionProps) {
  const [isCreating, create] = useDisclosure();
  const { list, variants, baseline, shown, chosen, comparisonOf, error } = found;
  const others = variants.filter(({ parentId }) => parentId !== null);
  const isArchived = experiment.status === "ARCHIVED";
  const head = (variant: Variant) =>
    baseline && (
      <VariantHead variant={variant} baseline={baseline} isPromoted={variant.id === experiment.promotedVariantId} />
    );
  const newVariant = (
    <Button leftSection={<Plus size={14} />} disabled={isArchived} onClick={create.open}>
      {baseline === undefined ? "New baseline" : "New variant"}
    </Button>
  );
  return (
    <Section
      title="Variants"
      description="What differs from the baseline, task by task"
      actions={
        baseline !== undefined && (
          <Group gap="xs">
            {others.length > 1 && (
              <ChoiceFilter
                label="Columns"
                options={others.map(({ id, title }) => ({ value: id, label: title }))}
                value={search.shown}
                onChange={(value) => onSearch({ shown: value })}
              />
            )}
            {newVariant}
          </Group>
        )
      }
    >
      {list.error !== null && list.data === undefined ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <div aria-busy>
          <Skeleton height={240} />
        </div>
      ) : baseline === undefined ? (
        <EmptyState
          title="No variants yet"
          action={newVariant}
          request={createVariant({
            experimentId: experiment.id,
            ...{ title: "As it is", configPatch: { answer: { model: "…", temperature: 1 } } },
          })}
        >
          The first variant is the baseline: all that is set today. Each other one changes one parameter of one
          inference step, so that a difference has one cause.
        </EmptyState>
      ) : (
        <>
          <ComparisonTable
            label="Variants"
            baseline={{
              id: baseline.id,
              head: head(baseline),
              comparison: comparisonOf(baseline),
            }}
            sides={shown.map((variant) => ({
              id: variant.id,
              head: head(variant),
              isChosen: variant.id === chosen?.id,
              comparison: comparisonOf(variant),
            }))}
          />
          {shown.length < others.length && (
            <Text size="xs" c="dimmed">
              {`${shown.length} of ${plural(others.length, "variant")} are shown; Columns chooses others, rejected ones too.`}
            </Text>
          )}
          {error !== null && <ErrorState error={error} />}
        </>
      )}
      {isCreating && (
        <VariantForm experiment={experiment} variants={variants} baseline={baseline} onClose={create.close} />
      )}
    </Section>
  );
}
