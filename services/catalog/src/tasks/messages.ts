// From tasks' rows to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type TaskSchema, TaskStatus, TaskType } from "@ems/proto/catalog/v1/task_service";
import type { TaskRow } from "./entity.ts";

export function task({
  topicId,
  type,
  status,
  createdAt,
  modifiedAt,
  ...same
}: TaskRow): MessageInitShape<typeof TaskSchema> {
  return {
    ...same,
    ...(topicId !== null && { topicId }),
    type: TaskType[type],
    status: TaskStatus[status],
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
