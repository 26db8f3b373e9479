// The filters of runs and tests. Statements contain the requested predicates alone and are planned for their values, so
// that PostgreSQL prunes the partitions of other months.

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Parameters } from "@ems/kit/db/parameters";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { dateOf } from "@ems/kit/json/timestamp";
import { type ResultStatus, ResultStatusSchema, type RunType, RunTypeSchema } from "@ems/proto/experiments/v1/run";

/** What is undefined does not filter. */
export interface ResultFilter {
  readonly taskIds: readonly string[] | undefined;
  readonly runTypes: readonly string[] | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly definitionIds: readonly string[] | undefined;
  /** Inclusive. */
  readonly from: Date | undefined;
  /** Exclusive. */
  readonly until: Date | undefined;
}

interface FilterRequest {
  readonly taskId: readonly string[];
  readonly runType: readonly RunType[];
  readonly status: readonly ResultStatus[];
  readonly evalDefinitionId: readonly string[];
  readonly startDate?: Timestamp | undefined;
  readonly endDate?: Timestamp | undefined;
}

export function filterOf({ taskId, runType, status, evalDefinitionId, ...dates }: FilterRequest): ResultFilter {
  const { startDate, endDate } = dates;
  return {
    taskIds: nonEmpty(distinctIds(taskId)),
    runTypes: enumNames(RunTypeSchema, runType) ?? undefined,
    statuses: enumNames(ResultStatusSchema, status) ?? undefined,
    definitionIds: nonEmpty(distinctIds(evalDefinitionId)),
    from: startDate && timestampDate(startDate),
    // Rows have whole milliseconds, and a request includes its end.
    until: endDate && new Date(dateOf(endDate).getTime() + 1),
  };
}

/** An empty list does not filter. */
export function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** The predicates whose value is defined, joined by AND; `?` stands for the value. */
export function allOf(parameters: Parameters, predicates: Readonly<Record<string, unknown>>): string {
  return Object.entries(predicates)
    .filter(([, value]) => value !== undefined)
    .map(([text, value]) => text.replace("?", parameters.add(value)))
    .join(" AND ");
}
