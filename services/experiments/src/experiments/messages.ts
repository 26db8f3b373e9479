import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type ExperimentSchema, ExperimentStatus } from "@ems/proto/experiments/v1/experiment_service";
import type { ExperimentRow } from "./entity.ts";

export function experiment({
  id,
  title,
  description,
  status,
  inferenceStepIds,
  taskIds,
  assignee,
  createdAt,
  modifiedAt,
}: ExperimentRow): MessageInitShape<typeof ExperimentSchema> {
  return {
    id,
    title,
    description,
    status: ExperimentStatus[status],
    inferenceStepIds,
    taskIds,
    ...(assignee !== null && { assignee }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
