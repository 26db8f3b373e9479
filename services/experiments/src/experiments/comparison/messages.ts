import { buildMessage } from "@ems/kit/message";
import type { Mean } from "@ems/kit/statistics";
import { ChangedTaskSideSchema, ComparisonDifferenceSchema } from "@ems/proto/experiments/v1/comparison";
import { classifyDifference, type Difference } from "./compare.ts";
import type { LeftOutTasks } from "./left-out.ts";
import type { TestResultRow } from "./rows.ts";
import { formatSummary } from "./summary.ts";
import type { TaskResults } from "./task-results.ts";

/** Builds a difference's message. `adjustedP` is undefined for too few tasks; `note` is appended to the summary. */
export function buildDifference(difference: Difference, adjustedP: number | undefined, note: string | undefined) {
  const outcome = classifyDifference(difference, adjustedP);
  const {
    passRate,
    averageScore,
    notCompared,
    tasksBeforeErrors: _,
    errorsDiffer: __,
    tasksErrored: ___,
    ...rest
  } = difference;
  return buildMessage(ComparisonDifferenceSchema, {
    ...rest,
    mcnemarP: rest.mcnemarP ?? null,
    smallestDetectable: rest.smallestDetectable ?? null,
    tasksNeeded: rest.tasksNeeded ?? null,
    passRate: estimate(passRate, adjustedP),
    averageScore: estimate(averageScore, undefined),
    summary: [formatSummary(outcome, difference), note].filter((sentence) => sentence !== undefined).join(" "),
    verdict: outcome,
    notCompared: {
      baseline: toCounts(notCompared.baseline),
      variant: toCounts(notCompared.variant),
      tasks: BigInt(notCompared.tasks),
    },
  });
}

const toCounts = ({ application, configuration, judge, none }: LeftOutTasks) => ({
  application: BigInt(application),
  configuration: BigInt(configuration),
  judge: BigInt(judge),
  none: BigInt(none),
});

const estimate = (mean: Mean | undefined, adjustedP: number | undefined) =>
  mean === undefined ? null : { value: mean.value, ...mean.interval, p: mean.p, adjustedP };

/** Builds a task's results on one side; `isPassed` is true if more than half of its tests passed. */
export function changedSide(row: TestResultRow, isPassed: boolean, { scores }: TaskResults) {
  return buildMessage(ChangedTaskSideSchema, {
    testId: (isPassed ? row.passedTestId : row.failedTestId) ?? "",
    passed: isPassed,
    score: scores.count === 0 ? null : scores.sum / scores.count,
  });
}
