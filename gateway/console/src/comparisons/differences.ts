// Formats differences of pass rates and computes their common scale. All functions are pure.

import type { Difference } from "./comparison-requests.ts";

/** Returns the size in points: a whole number, or below 2 points one decimal, so that it is not displayed as 0. */
const size = (rate: number) => Number(Math.abs(100 * rate).toFixed(Math.abs(rate) < 0.02 ? 1 : 0));

/**
 * Describes the difference in percentage points. If the sides have no tasks in common, tasks are left out or there is no
 * interval, returns the API's summary instead, which uses rates from 0 to 1.
 */
export function describeDifference(difference: Difference): string {
  const { passRate, smallestDetectable, summary, notCompared } = difference;
  if (difference.method !== "paired" || passRate === null || (notCompared?.tasks ?? 0) > 0) return summary;
  const at = `at ${difference.commonTasks} common tasks`;
  switch (difference.verdict) {
    case "too_few_tasks":
    case "not_comparable":
      return summary;
    case "no_evidence":
      return smallestDetectable === null
        ? summary
        : `No evidence of a difference ${at} (smallest detectable: ${size(smallestDetectable)} points).`;
    default:
      return `${difference.verdict === "better" ? "Better" : "Worse"} by ${size(passRate.value)} points ${at}.`;
  }
}

/** Returns the end of a table's scale: the largest bound of all intervals, rounded up to the next 0.05. */
export function computeScale(differences: readonly (Difference | null)[]): number {
  const ends = differences.flatMap((difference) => {
    const { value = 0, low, high } = difference?.passRate ?? {};
    return [value, low ?? 0, high ?? 0].map(Math.abs);
  });
  return Math.min(1, Math.max(1, Math.ceil(Math.max(0, ...ends) / 0.05)) * 0.05);
}
