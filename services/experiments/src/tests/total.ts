// The exact total of a list of tests: from the rollups where they have the filter's columns, else by counting rows.

import type { Statement } from "@ems/kit/db/database";
import { Parameters } from "@ems/kit/db/parameters";
import { allOf, type ResultFilter } from "../runs/index.ts";

export interface TestFilter extends ResultFilter {
  readonly applicationId: string;
  readonly runIds: readonly string[] | undefined;
  readonly topicIds: readonly string[] | undefined;
}

/** The predicate over `experiments.test t`; the application is its first parameter. */
export function whereTests(filter: TestFilter, parameters: Parameters): string {
  return allOf(parameters, {
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

/** Answers one row with `total`. */
export function totalOfTests(filter: TestFilter): Statement {
  const parameters = new Parameters();
  const { taskIds, runIds, definitionIds, runTypes, statuses, topicIds, from, until } = filter;
  const rowCount = (part: TestFilter) =>
    `(SELECT count(*) FROM experiments.test t WHERE ${whereTests(part, parameters)})`;
  const terms: string[] = [];
  if (runIds !== undefined || definitionIds !== undefined) terms.push(rowCount(filter));
  else if (taskIds !== undefined) {
    const isEveryTest = [runTypes, statuses, topicIds, from, until].every((part) => part === undefined);
    terms.push(isEveryTest ? taskTotal(filter, parameters) : rowCount(filter));
  } else {
    const days = wholeDays(from, until);
    if (days.whole !== undefined) terms.push(dayTotal({ ...filter, ...days.whole }, parameters));
    terms.push(...days.edges.map((edge) => rowCount({ ...filter, ...edge })));
  }
  return { text: `SELECT (${terms.join(" + ") || "0"})::int AS total`, values: parameters.values };
}

function taskTotal({ applicationId, taskIds }: TestFilter, parameters: Parameters): string {
  return `(SELECT coalesce(sum(s.tests), 0) FROM experiments.task_stat s WHERE ${allOf(parameters, {
    "s.application_id = ?": applicationId,
    "s.task_id = ANY (?)": taskIds,
  })})`;
}

function dayTotal(
  { applicationId, topicIds, runTypes, statuses, from, until }: TestFilter,
  parameters: Parameters,
): string {
  return `(SELECT coalesce(sum(d.rows), 0) FROM experiments.test_day d WHERE ${allOf(parameters, {
    "d.application_id = ?": applicationId,
    "d.topic_id = ANY (?)": topicIds,
    "d.run_type = ANY (?)": runTypes,
    "d.status = ANY (?)": statuses,
    "d.day >= (?::timestamptz AT TIME ZONE 'UTC')::date": from,
    "d.day < (?::timestamptz AT TIME ZONE 'UTC')::date": until,
  })})`;
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
