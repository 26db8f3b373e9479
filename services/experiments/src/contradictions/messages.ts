import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ContradictionSchema } from "@ems/proto/experiments/v1/quickstart_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { ContradictionRow } from "./entity.ts";

export function contradiction(
  { assignedTo, createdAt, modifiedAt, quickstartId: _, ...row }: ContradictionRow,
  people: ReadonlyMap<string, UserReference>,
): MessageInitShape<typeof ContradictionSchema> {
  const assignedUser = assignedTo === null ? undefined : people.get(assignedTo);
  return {
    ...row,
    ...(assignedTo !== null && { assignedTo }),
    ...(assignedUser !== undefined && { assignedUser }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
