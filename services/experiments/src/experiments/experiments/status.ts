import type { VariantRow } from "./variant-entity.ts";

/** In order of an experiment's life. */
export const statuses = [
  "DRAFT",
  "BASELINE_PENDING",
  "BASELINE_RUNNING",
  "BASELINE_COMPLETED",
  "RUNNING",
  "COMPLETED",
  "ARCHIVED",
] as const;

export type ExperimentStatusName = (typeof statuses)[number];

/**
 * Forward only: baselines and results cannot be undone. Statuses may be skipped, since not every experiment has a
 * baseline.
 */
export function canBecome(from: ExperimentStatusName, to: ExperimentStatusName): boolean {
  return statuses.indexOf(to) >= statuses.indexOf(from);
}

/**
 * Derives an experiment's status from its variants: it is over when all except the baseline have ended. Without
 * variants it does not change.
 */
export function deriveStatus(
  status: ExperimentStatusName,
  variants: readonly Pick<VariantRow, "parentId" | "status">[],
): ExperimentStatusName {
  const baseline = variants.find(({ parentId }) => parentId === null);
  if (status === "ARCHIVED" || baseline === undefined) return status;
  if (baseline.status === "RUNNING") return "BASELINE_RUNNING";
  if (baseline.status !== "COMPLETED") return "BASELINE_PENDING";
  const branches = variants.filter(({ parentId }) => parentId !== null);
  if (branches.every(({ status: of }) => of === "DRAFT")) return "BASELINE_COMPLETED";
  return branches.some(({ status: of }) => of === "DRAFT" || of === "RUNNING") ? "RUNNING" : "COMPLETED";
}
