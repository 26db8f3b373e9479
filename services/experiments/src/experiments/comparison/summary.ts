// One-sentence summary of a comparison.

import { type Difference, type Outcome, tasksMin } from "./compare.ts";
import type { LeftOutTasks } from "./left-out.ts";

const rate = (value: number) => Math.abs(value).toFixed(2);

/** Returns the verdict as a sentence, and one about the tasks that are left out, if there are any. */
export function formatSummary(outcome: Outcome, difference: Difference): string {
  const { errorsDiffer, tasksErrored, notCompared } = difference;
  const leftOut = notCompared.tasks === 0 ? [] : [formatLeftOut(difference)];
  if (outcome !== "not_comparable") {
    const verdict = formatVerdict(outcome, difference);
    return [verdict, ...leftOut.map((text) => `Left out: ${text}.`)].join(" ");
  }
  const { baseline, variant } = tasksErrored;
  const differing = `errors differ by more than chance (tasks with errors: baseline ${baseline}, variant ${variant})`;
  return `Not comparable: ${[...(errorsDiffer ? [differing] : []), ...leftOut].join("; ")}.`;
}

const words: readonly (readonly [keyof LeftOutTasks, string])[] = [
  ["application", "without an answer"],
  ["configuration", "with a missing or wrong setting"],
  ["judge", "without a verdict"],
  ["none", "without an evaluator"],
];

/** Formats the numbers of tasks that are left out, by side and cause, such as "2 of 12 tasks (variant: 2 without a verdict)". */
function formatLeftOut({ notCompared, commonTasks, method, tasksBeforeErrors }: Difference): string {
  const total = method === "paired" ? commonTasks + notCompared.tasks : tasksBeforeErrors;
  const sides = (["baseline", "variant"] as const).flatMap((side) => {
    const causes = words.flatMap(([cause, text]) =>
      notCompared[side][cause] === 0 ? [] : [`${notCompared[side][cause]} ${text}`],
    );
    return causes.length === 0 ? [] : [`${side}: ${causes.join(", ")}`];
  });
  const count = method === "paired" ? `${notCompared.tasks} of ${total} common tasks` : `${notCompared.tasks} tasks`;
  return `${count} could not be judged${sides.length === 0 ? "" : ` (${sides.join("; ")})`}`;
}

function formatVerdict(outcome: Exclude<Outcome, "not_comparable">, difference: Difference): string {
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
