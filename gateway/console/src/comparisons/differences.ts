// What a difference of pass rates says in words, and the scale that differences are drawn on. Pure.

import type { Difference } from "./comparison-requests.ts";

/** One decimal of what is small: a difference that is there is never 0 points. */
const size = (rate: number) => Number(Math.abs(100 * rate).toFixed(Math.abs(rate) < 0.02 ? 1 : 0));

/**
 * In percentage points, as the numbers beside it. The API's own sentence, whose numbers are rates from 0 to 1, where it has none,
 * and where the sides have no task in common.
 */
export function sentenceOf(difference: Difference): string {
  const { passRate, smallestDetectable, summary } = difference;
  if (difference.method !== "paired" || passRate === null) return summary;
  const at = `at ${difference.commonTasks} common tasks`;
  switch (difference.verdict) {
    case "too_few_tasks":
      return summary;
    case "no_evidence":
      return smallestDetectable === null
        ? summary
        : `No evidence of a difference ${at}; ${size(smallestDetectable)} points could be seen.`;
    default:
      return `${difference.verdict === "better" ? "Better" : "Worse"} by ${size(passRate.value)} points ${at}.`;
  }
}

/** The largest difference that is drawn, the same in a whole table: up to the next 0.05 above all ends of intervals. */
export function scaleOf(differences: readonly (Difference | null)[]): number {
  const ends = differences.flatMap((difference) => {
    const { value = 0, low, high } = difference?.passRate ?? {};
    return [value, low ?? 0, high ?? 0].map(Math.abs);
  });
  return Math.min(1, Math.max(1, Math.ceil(Math.max(0, ...ends) / 0.05)) * 0.05);
}
