// Totals of tests that rollups have: of tasks, and of topics by days, whose partial days are counted by rows.

import type { Parameters } from "@ems/kit/db/parameters";

export interface TestFilter {
  readonly taskId: readonly string[] | null;
  readonly runId: readonly string[] | null;
  readonly topicId: readonly string[] | null;
  readonly runType: readonly string[] | null | undefined;
  readonly status: readonly string[] | null | undefined;
  readonly definitionId: readonly string[] | null;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
}

/** SQL of the total, `$1` being the application; undefined where rollups do not have it. */
export function totalOfTests(filter: TestFilter): ((parameters: Parameters) => string) | undefined {
  const { taskId, runId, topicId, runType, status, definitionId, from, until } = filter;
  const isGiven = (value: unknown) => value !== null && value !== undefined;
  if ([runId, definitionId].some(isGiven)) return undefined;
  if (isGiven(taskId) && ![topicId, runType, status, from, until].some(isGiven)) {
    return (parameters) => `SELECT coalesce(sum(s.tests), 0) FROM experiments.task_stat s
      WHERE s.application_id = $1 AND s.task_id = ANY (${parameters.add(taskId)})`;
  }
  if (isGiven(taskId) || !isGiven(topicId)) return undefined;
  return (parameters) => {
    const days = wholeDays(from, until);
    const rowCount = (edge: Interval) =>
      `(SELECT count(*) FROM experiments.test t WHERE ${where(filter, edge, "t.created_at", parameters)})`;
    const dayCount = (whole: Interval) =>
      `(SELECT coalesce(sum(t.rows), 0) FROM experiments.test_day t WHERE ${where(filter, whole, "t.day", parameters)})`;
    const terms = [...(days.whole === undefined ? [] : [dayCount(days.whole)]), ...days.edges.map(rowCount)];
    return terms.join(" + ") || "0";
  };
}

/** Over rows or days `t`; a day's bounds are its first instant in UTC. */
function where(
  { topicId, runType, status }: TestFilter,
  { from, until }: Interval,
  column: string,
  parameters: Parameters,
): string {
  const instant = column === "t.day" ? "(?::timestamptz AT TIME ZONE 'UTC')::date" : "?";
  const predicates: [string, unknown][] = [
    ["t.topic_id = ANY (?)", topicId],
    ["t.run_type = ANY (?)", runType],
    ["t.status = ANY (?)", status],
    [`${column} >= ${instant}`, from],
    [`${column} < ${instant}`, until],
  ];
  const used = predicates.filter(([, value]) => value !== null && value !== undefined);
  return ["t.application_id = $1", ...used.map(([text, value]) => text.replace("?", parameters.add(value)))].join(
    " AND ",
  );
}

interface Interval {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

const dayMs = 86_400_000;

/** The whole UTC days between `from` and `until`, and the partial days at either end. */
export function wholeDays(from: Date | undefined, until: Date | undefined): { whole?: Interval; edges: Interval[] } {
  const first = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = until && new Date(Math.floor(until.getTime() / dayMs) * dayMs);
  const isEmpty = ({ from, until }: Interval) => from !== undefined && until !== undefined && from >= until;
  const whole = { from: first, until: last };
  if (isEmpty(whole)) return { edges: [{ from, until }].filter((interval) => !isEmpty(interval)) };
  const edges = [
    ...(first === undefined ? [] : [{ from, until: first }]),
    ...(last === undefined ? [] : [{ from: last, until }]),
  ];
  return { whole, edges: edges.filter((interval) => !isEmpty(interval)) };
}
