// Numbers of what is erased, in words. Pure.

import type { ErasureCounts } from "./erasure-requests.ts";

/** In the order in which people look for them. */
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

/** What a dry run does not count. */
export const uncounted: readonly string[] = ["jobs", "deliveries", "events"];

export const isNothing = (counts: ErasureCounts) => kinds.every(([kind]) => counts[kind] === 0);

/** Undefined where the text cannot be typed as it is: a word stands for it. */
export function typable(user: string): string | undefined {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]{1,100}$/u.test(user) && user.trim() === user ? user : undefined;
}
