// How many tests match: from the sums where they know the filter, else by counting. Either is exact: what the sums do not
// hold, the days of which only a part is asked for, is counted.

import type { Statement } from "@ems/kit/db/database";
import { allOf, type Parameters, parameters, type ResultFilter } from "../runs/index.ts";

export interface TestFilter extends ResultFilter {
  readonly applicationId: string;
  readonly runIds: readonly string[] | undefined;
  readonly topicIds: readonly string[] | undefined;
}

/** What holds for the tests, as `experiments.test t`; the application is the first value. */
export function whereTests(filter: TestFilter, values: Parameters): string {
  return allOf(values, {
    "t.application_id = ?": filter.applicationId,
    "t.task_id = ANY (?)": filter.taskIds,
    "t.run_id = ANY (?)": filter.runIds,
    "t.topic_id = ANY (?)": filter.topicIds,
    "t.run_type = ANY (?)": filter.runTypes,
    "t.status = ANY (?)": filter.statuses,
    "t.definition_ids && ?": filter.definitionIds,
    "t.created_at >= ?": filter.from,
    "t.created_at < ?": filter.until,
  });
}

/** One row, with the number as `total`. */
export function totalOfTests(filter: TestFilter): Statement {
  const values = parameters();
  const { taskIds, runIds, definitionIds, runTypes, statuses, topicIds, from, until } = filter;
  const counted = (part: TestFilter) => `(SELECT count(*) FROM experiments.test t WHERE ${whereTests(part, values)})`;
  const terms: string[] = [];
  if (runIds !== undefined || definitionIds !== undefined) terms.push(counted(filter));
  else if (taskIds !== undefined) {
    const isAll = [runTypes, statuses, topicIds, from, until].every((part) => part === undefined);
    terms.push(isAll ? ofTasks(filter, values) : counted(filter));
  } else {
    const days = wholeDays(from, until);
    if (days.whole !== undefined) terms.push(ofDays({ ...filter, ...days.whole }, values));
    terms.push(...days.edges.map((edge) => counted({ ...filter, ...edge })));
  }
  return { text: `SELECT (${terms.join(" + ") || "0"})::int AS total`, values: values.values() };
}

function ofTasks({ applicationId, taskIds }: TestFilter, values: Parameters): string {
  return `(SELECT coalesce(sum(s.tests), 0) FROM experiments.task_stat s WHERE ${allOf(values, {
    "s.application_id = ?": applicationId,
    "s.task_id = ANY (?)": taskIds,
  })})`;
}

function ofDays({ applicationId, topicIds, runTypes, statuses, from, until }: TestFilter, values: Parameters): string {
  return `(SELECT coalesce(sum(d.rows), 0) FROM experiments.test_day d WHERE ${allOf(values, {
    "d.application_id = ?": applicationId,
    "d.topic_id = ANY (?)": topicIds,
    "d.run_type = ANY (?)": runTypes,
    "d.status = ANY (?)": statuses,
    "d.day >= (?::timestamptz AT TIME ZONE 'UTC')::date": from,
    "d.day < (?::timestamptz AT TIME ZONE 'UTC')::date": until,
  })})`;
}

interface Span {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

const dayMs = 86_400_000;

/** The UTC days that lie wholly from `from` until `until`, and what is left at either end. */
export function wholeDays(from: Date | undefined, until: Date | undefined): { whole?: Span; edges: Span[] } {
  const first = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = until && new Date(Math.floor(until.getTime() / dayMs) * dayMs);
  const isEmpty = (span: Span) => span.from !== undefined && span.until !== undefined && span.from >= span.until;
  const whole = { from: first, until: last };
  if (isEmpty(whole)) return { edges: [{ from, until }].filter((span) => !isEmpty(span)) };
  const edges = [
    ...(first === undefined ? [] : [{ from, until: first }]),
    ...(last === undefined ? [] : [{ from: last, until }]),
  ];
  return { whole, edges: edges.filter((span) => !isEmpty(span)) };
}
