// Totals of tests from rollups: by task, or by topic and days. On partial days, rows are counted instead.

import type { Parameters } from "@ems/kit/db/parameters";
import { totalByDays } from "../rollups/index.ts";

export interface TestFilter {
  readonly taskId: readonly string[] | null;
  readonly runId: readonly string[] | null;
  readonly topicId: readonly string[] | null;
  readonly runType: readonly string[] | null | undefined;
  readonly status: readonly string[] | null | undefined;
  readonly definitionId: readonly string[] | null;
  readonly variantId: readonly string[] | null;
  readonly passRates: readonly string[] | null;
  readonly tagged: readonly string[] | null;
  /** Start of the interval, inclusive. */
  readonly from: Date | undefined;
  /** End of the interval, exclusive. */
  readonly until: Date | undefined;
}

/** Builds the statement for a total; `$1` is the application. Undefined if rollups do not support the filter. */
export function totalOfTests(filter: TestFilter): ((parameters: Parameters) => string) | undefined {
  const { taskId, runId, topicId, runType, status, definitionId, from, until } = filter;
  const { variantId, passRates, tagged } = filter;
  const isGiven = (value: unknown) => value !== null && value !== undefined;
  if ([runId, definitionId, variantId, passRates, tagged].some(isGiven)) return undefined;
  if (isGiven(taskId) && ![topicId, runType, status, from, until].some(isGiven)) {
    return (parameters) => `SELECT coalesce(sum(s.tests), 0) FROM experiments.task_stat s
      WHERE s.application_id = $1 AND s.task_id = ANY (${parameters.add(taskId)})`;
  }
  if (isGiven(taskId) || !isGiven(topicId)) return undefined;
  const predicates = [
    ["t.topic_id = ANY (?)", topicId],
    ["t.run_type = ANY (?)", runType],
    ["t.status = ANY (?)", status],
  ] as const;
  return totalByDays({ rows: "experiments.test", days: "experiments.test_day", predicates }, from, until);
}
