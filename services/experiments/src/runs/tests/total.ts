// Totals of tests from rollups: by task, or by topic and days. On partial days, rows are counted instead.

import type { Parameters } from "@ems/kit/db/parameters";
import { totalByDays } from "../rollups/index.ts";
import type { TestFilters } from "./test-list.ts";

/** Builds the statement for a total; `$1` is the application. Undefined if rollups do not support the filter. */
export function totalOfTests(filter: TestFilters): ((parameters: Parameters) => string) | undefined {
  const { taskId, topicId, runType, status, from, until, ...uncounted } = filter;
  const isGiven = (value: unknown) => value !== null && value !== undefined;
  if (Object.values(uncounted).some(isGiven)) return undefined;
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
