import { messageOf } from "@ems/kit/message";
import { AssignmentSchema } from "@ems/proto/experiments/v1/quickstart_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { AssignmentRow } from "./entity.ts";

export const assignment = (row: AssignmentRow, users: ReadonlyMap<string, UserReference>) =>
  messageOf(AssignmentSchema, { ...row, assignedUser: users.get(row.assignedTo) });
