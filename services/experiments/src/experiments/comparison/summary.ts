// One-sentence summary of a comparison.

import { type Difference, type Outcome, tasksMin } from "./compare.ts";

const rate = (value: number) => Math.abs(value).toFixed(2);

export function formatSummary(outcome: Outcome, difference: Difference): string {
  const { passRate, tasks, method, smallestDetectable } = difference;
  const noun = tasks === 1 ? "task" : "tasks";
  const at = method === "paired" ? `${tasks} common ${noun}` : `${tasks} ${noun} a side, none in common`;
  switch (outcome) {
    case "too_few_tasks":
      return `Not enough data: ${at}, ${tasksMin} needed.`;
    case "no_evidence":
      return smallestDetectable === undefined
        ? `No difference: the pass rate of each of ${at} is the same.`
        : `No evidence of a difference at ${at}; smallest detectable difference: ${rate(smallestDetectable)}.`;
    default: {
      const { value = 0, interval } = passRate ?? {};
      const range = interval === undefined ? "" : ` (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
      return `${outcome === "better" ? "Better" : "Worse"} by ${rate(value)}${range} at ${at}.`;
    }
  }
}
