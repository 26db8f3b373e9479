// How an experiment comes along.

/** In the order in which an experiment goes through them. */
const course = [
  "DRAFT",
  "BASELINE_PENDING",
  "BASELINE_RUNNING",
  "BASELINE_COMPLETED",
  "RUNNING",
  "COMPLETED",
  "ARCHIVED",
] as const;

export type ExperimentStatusName = (typeof course)[number];

/**
 * Whether an experiment may go `from` one status `to` another. Forward only, since a baseline or a result that was there
 * is not undone; steps may be passed over, since not every experiment has a baseline. Staying is no move and allowed.
 */
export function mayBecome(from: ExperimentStatusName, to: ExperimentStatusName): boolean {
  return course.indexOf(to) >= course.indexOf(from);
}
