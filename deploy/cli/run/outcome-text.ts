import { table } from "../table.ts";
import type { Outcome, TestOutcome } from "./outcome.ts";

const number = (title: string) => ({ title, alignRight: true });

/** Formats a table of tasks and a table of tests that did not pass. */
export function outcomeText({ tests, passed, counted, passRate }: Outcome): string {
  const byTask = [...Map.groupBy(tests, ({ taskId }) => taskId).values()];
  const tasks = table(
    ["Task", number("Tests"), number("Passed"), number("Errors"), number("Score")],
    byTask.map((ofTask) => [
      ofTask[0]?.task,
      ofTask.length,
      ofTask.filter((test) => test.passed).length,
      ofTask.filter((test) => test.isError).length,
      mean(ofTask),
    ]),
  );
  const failed = tests.filter((test) => test.passed === false);
  const reasons = failed.flatMap(({ task, testId, reasons }) =>
    (reasons.length === 0 ? [null] : reasons).map((reason) => [task, reason, testId]),
  );
  const parts = failed.length === 0 ? [tasks] : [tasks, table(["Not passed", "Why", "Test"], reasons)];
  const rate = passRate === null ? "" : ` (${percent(passRate)} %)`;
  return [...parts, `${passed} of ${counted} tests passed${rate}`].join("\n\n");
}

/** Returns the percentage of a rate with one decimal. Only a rate of exactly 1 becomes 100; others are at most 99.9. */
const percent = (rate: number) => (rate === 1 ? 100 : Math.min(Math.round(rate * 1000) / 10, 99.9));

function mean(tests: readonly TestOutcome[]): number | null {
  const scores = tests.flatMap(({ score }) => (score === null ? [] : [score]));
  if (scores.length === 0) return null;
  return Math.round((scores.reduce((sum, score) => sum + score, 0) / scores.length) * 1e4) / 1e4;
}
