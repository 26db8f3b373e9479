// Labels of the numbers of an erasure.

import type { ErasureCounts } from "./erasure-requests.ts";

/** In display order. */
export const kinds = [
  ["traces", "Traces"],
  ["steps", "Steps of traces"],
  ["tests", "Tests"],
  ["evaluations", "Evaluations"],
  ["humanAnnotations", "People's judgements"],
  ["issues", "Issues"],
  ["tasks", "Tasks made of traces"],
  ["jobs", "Jobs of judges"],
  ["deliveries", "Deliveries"],
  ["events", "Events"],
] as const satisfies readonly (readonly [keyof ErasureCounts, string])[];

/** Kinds that a dry run does not count. */
export const uncounted: readonly string[] = ["jobs", "deliveries", "events"];

export const isNothing = (counts: ErasureCounts) => kinds.every(([kind]) => counts[kind] === 0);
