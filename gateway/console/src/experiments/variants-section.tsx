// Compares an experiment's variants: their change, results and difference from the reference.

import { Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Plus } from "lucide-react";
import { ComparisonTable } from "../comparisons/comparison-table.tsx";
import { ActionButton } from "../ui/action.tsx";
import { ChoiceFilter } from "../ui/filters/choice-filter.tsx";
import { SingleFilter } from "../ui/filters/single-filter.tsx";
import { plural } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { EmptyState, ErrorState } from "../ui/states.tsx";
import { isMeasured } from "./displayed-variants.ts";
import type { Experiment } from "./experiment-requests.ts";
import { detectablePoints, type VariantSearch } from "./experiment-search.ts";
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

const formatPoints = (points: string) => plural(Number(points), "point");

export function VariantsSection({ experiment, found, search, onSearch }: VariantsSectionProps) {
  const [isCreating, create] = useDisclosure();
  const { list, variants, baseline, reference, displayed, chosen, getComparison, error } = found;
  const compared = variants.filter((variant) => variant !== reference);
  const measured = variants.filter((variant) => variant !== baseline && isMeasured(variant));
  const isArchived = experiment.status === "ARCHIVED";
  const head = (variant: Variant) =>
    baseline && (
      <VariantHead
        experiment={experiment}
        variants={variants}
        variant={variant}
        baseline={baseline}
        isChoice={variant !== reference}
      />
    );
  const newVariant = (
    <ActionButton
      operation="POST /v0/experiments/{id}/variants"
      leftSection={<Plus size={14} />}
      disabled={isArchived}
      onClick={create.open}
    >
      {baseline === undefined ? "New baseline" : "New variant"}
    </ActionButton>
  );
  return (
    <Section
      title="Variants"
      description={`Compared with ${reference === baseline ? "the baseline" : reference?.title}, task by task`}
      actions={
        baseline !== undefined && (
          <Group gap="xs">
            {measured.length > 0 && (
              <>
                <SingleFilter
                  label="Compare with"
                  options={measured.map(({ id, title }) => ({ value: id, label: title }))}
                  value={reference === baseline ? undefined : reference?.id}
                  unset={baseline.title}
                  onChange={(beside) => onSearch({ beside, skip: undefined })}
                />
                <SingleFilter
                  label="Detect"
                  options={detectablePoints.map((points) => ({ value: points, label: formatPoints(points) }))}
                  value={search.detect}
                  unset={formatPoints("5")}
                  onChange={(detect) => onSearch({ detect })}
                />
              </>
            )}
            {compared.length > 1 && (
              <ChoiceFilter
                label="Columns"
                options={compared.map(({ id, title }) => ({ value: id, label: title }))}
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
      ) : baseline === undefined || reference === undefined ? (
        <EmptyState
          title="No variants yet"
          action={newVariant}
          request={createVariant({
            experimentId: experiment.id,
            title: "Baseline",
            configPatch: { answer: { model: "…", temperature: 1 } },
          })}
        >
          The first variant is the baseline: the current configuration. Each further variant changes one parameter, so
          that a difference has one cause.
        </EmptyState>
      ) : (
        <>
          <ComparisonTable
            label="Variants"
            baseline={{ id: reference.id, head: head(reference), comparison: getComparison(reference) }}
            sides={displayed.map((variant) => ({
              id: variant.id,
              head: head(variant),
              isChosen: variant.id === chosen?.id,
              comparison: getComparison(variant),
            }))}
          />
          {displayed.length < compared.length && (
            <Text size="xs" c="dimmed">
              {`Showing ${displayed.length} of ${plural(compared.length, "variant")}. Use Columns to choose others, including rejected ones.`}
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
