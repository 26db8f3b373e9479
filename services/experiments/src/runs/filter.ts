// What the lists of runs and tests are narrowed by. Statements hold the conditions that are asked for and no others, and
// are planned for their very values: months that cannot match are not looked at.

import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { enumName } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { dateOf } from "@ems/kit/json/timestamp";
import { type ResultStatus, ResultStatusSchema, type RunType, RunTypeSchema } from "@ems/proto/experiments/v1/run";
import type { Parameters } from "./parameters.ts";

/** Each part is undefined when it was not asked for. */
export interface ResultFilter {
  readonly taskIds: readonly string[] | undefined;
  readonly runTypes: readonly string[] | undefined;
  readonly statuses: readonly string[] | undefined;
  readonly definitionIds: readonly string[] | undefined;
  /** The first instant, and the first one that is too late. */
  readonly from: Date | undefined;
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
    taskIds: some(distinctIds(taskId)),
    runTypes: some([...new Set(runType)].map((one) => enumName(RunTypeSchema, one))),
    statuses: some([...new Set(status)].map((one) => enumName(ResultStatusSchema, one))),
    definitionIds: some(distinctIds(evalDefinitionId)),
    from: startDate && timestampDate(startDate),
    // Times of rows are whole milliseconds, and the end is included.
    until: endDate && new Date(dateOf(endDate).getTime() + 1),
  };
}

/** An empty list asks for nothing. */
export function some<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Those of the conditions whose value was asked for, with the value in place of `?`, joined by AND. */
export function allOf(parameters: Parameters, conditions: Readonly<Record<string, unknown>>): string {
  return Object.entries(conditions)
    .filter(([, value]) => value !== undefined)
    .map(([text, value]) => text.replace("?", parameters.of(value)))
    .join(" AND ");
}
