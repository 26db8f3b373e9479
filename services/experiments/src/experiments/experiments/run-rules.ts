import type { ExperimentRow } from "./entity.ts";
import type { VariantRow } from "./variant-entity.ts";

/** Returns the reason why a variant may not start a run; undefined if it may. */
export function reasonAgainstRun(
  { status }: ExperimentRow,
  row: VariantRow,
  variants: readonly VariantRow[],
): string | undefined {
  if (status === "ARCHIVED") return "The experiment is ARCHIVED";
  if (row.status !== "DRAFT" && row.status !== "FAILED") return `The variant is ${row.status} and cannot be started`;
  const baseline = variants.find(({ parentId }) => parentId === null);
  if (row.parentId !== null && baseline?.status !== "COMPLETED")
    return `The baseline is ${baseline?.status}: it must be COMPLETED before other variants are started`;
  return undefined;
}
