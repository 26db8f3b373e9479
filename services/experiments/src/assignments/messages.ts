import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type AssignmentSchema, AssignmentStage } from "@ems/proto/experiments/v1/quickstart_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { AssignmentRow } from "./entity.ts";

export function assignment(
  { id, quickstartId, stage, topicId, assignedTo, createdAt, modifiedAt }: AssignmentRow,
  people: ReadonlyMap<string, UserReference>,
): MessageInitShape<typeof AssignmentSchema> {
  const assignedUser = people.get(assignedTo);
  return {
    id,
    quickstartId,
    stage: AssignmentStage[stage],
    topicId,
    assignedTo,
    ...(assignedUser !== undefined && { assignedUser }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
