// Filters shared by the lists of runs and tests.

import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { nonEmptyOrNull, timeRange } from "@ems/kit/db/list";
import { enumNames } from "@ems/kit/enum";
import { distinctIds } from "@ems/kit/id";
import { type ResultStatus, ResultStatusSchema, type RunType, RunTypeSchema } from "@ems/proto/experiments/v1/run";

interface FilterRequest {
  readonly taskId: readonly string[];
  readonly runType: readonly RunType[];
  readonly status: readonly ResultStatus[];
  readonly evalDefinitionId: readonly string[];
  readonly startDate?: Timestamp | undefined;
  readonly endDate?: Timestamp | undefined;
}

/** Returns the values of the lists' filters by name; null and undefined do not filter. */
export function buildFilter({ taskId, runType, status, evalDefinitionId, ...dates }: FilterRequest) {
  return {
    taskId: nonEmptyOrNull(distinctIds(taskId)),
    runType: enumNames(RunTypeSchema, runType),
    status: enumNames(ResultStatusSchema, status),
    definitionId: nonEmptyOrNull(distinctIds(evalDefinitionId)),
    ...timeRange(dates),
  };
}
