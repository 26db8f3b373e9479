import type { VariantRow } from "./variant-entity.ts";

/** Statuses in the order in which an experiment passes through them. */
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
 * Status changes go forward only, because baselines and results cannot be undone. Statuses may be skipped, because not
 * every experiment has a baseline.
 */
export function canBecome(from: ExperimentStatusName, to: ExperimentStatusName): boolean {
  return statuses.indexOf(to) >= statuses.indexOf(from);
}

/**
 * Derives an experiment's status from its variants: it has ended when all variants except the baseline have ended.
 * Without variants, the status does not change.
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
