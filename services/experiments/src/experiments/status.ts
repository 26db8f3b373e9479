/** In the order of an experiment's life. */
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

/** Forward only: baselines and results are not undone. Statuses may be skipped, since not every experiment has a baseline. */
export function canBecome(from: ExperimentStatusName, to: ExperimentStatusName): boolean {
  return statuses.indexOf(to) >= statuses.indexOf(from);
}
