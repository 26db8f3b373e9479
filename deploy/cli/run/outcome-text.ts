import { table } from "../table.ts";
import type { Outcome, TestOutcome } from "./outcome.ts";

const number = (title: string) => ({ title, alignRight: true });

/** Formats a table of tasks and a table of tests that did not pass. */
export function outcomeText({ tests, passed, failed, errored, none, passRate }: Outcome): string {
  const byTask = [...Map.groupBy(tests, ({ taskId }) => taskId).values()];
  const tasks = table(
    ["Task", number("Tests"), number("Passed"), number("Errored"), number("Score")],
    byTask.map((ofTask) => [
      ofTask[0]?.task,
      ofTask.length,
      ofTask.filter(({ outcome }) => outcome === "PASSED").length,
      ofTask.filter(({ outcome }) => outcome === "ERRORED").length,
      mean(ofTask),
    ]),
  );
  const notPassed = tests.filter(({ outcome }) => outcome === "FAILED" || outcome === "ERRORED");
  const reasons = notPassed.flatMap(({ task, testId, reasons }) =>
    (reasons.length === 0 ? [null] : reasons).map((reason) => [task, reason, testId]),
  );
  const parts = notPassed.length === 0 ? [tasks] : [tasks, table(["Not passed", "Why", "Test"], reasons)];
  const rate = passRate === null ? "" : ` (${percent(passRate)} %)`;
  const rest = [errored > 0 && `${errored} errored`, none > 0 && `${none} not judged`].filter(Boolean);
  const last = [`${passed} of ${passed + failed} judged tests passed${rate}`, ...rest].join(", ");
  return [...parts, last].join("\n\n");
}

/** Returns the percentage of a rate with one decimal. Only a rate of exactly 1 becomes 100; others are at most 99.9. */
const percent = (rate: number) => (rate === 1 ? 100 : Math.min(Math.round(rate * 1000) / 10, 99.9));

function mean(tests: readonly TestOutcome[]): number | null {
  const scores = tests.flatMap(({ score }) => (score === null ? [] : [score]));
  if (scores.length === 0) return null;
  return Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 1e4) / 1e4;
}
