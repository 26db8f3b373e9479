// Kinds of data in an erasure's counts, with their labels.

import type { ErasureCounts } from "./erasure-requests.ts";

/** Kinds of data, in display order. */
export const kinds = [
  ["traces", "Traces"],
  ["steps", "Trace steps"],
  ["tests", "Tests"],
  ["evaluations", "Evaluations"],
  ["humanAnnotations", "Human reviews"],
  ["issues", "Issues"],
  ["tasks", "Tasks created from traces"],
  ["jobs", "Judge jobs"],
  ["deliveries", "Deliveries"],
  ["events", "Events"],
] as const satisfies readonly (readonly [keyof ErasureCounts, string])[];

/** Kinds of data that a dry run does not count. */
export const uncounted: readonly string[] = ["jobs", "deliveries", "events"];

export const isNothing = (counts: ErasureCounts) => kinds.every(([kind]) => counts[kind] === 0);
