import { buildMessage } from "@ems/kit/message";
import { ContradictionSchema } from "@ems/proto/experiments/v1/quickstart_service";
import type { UserReference } from "@ems/proto/type/v1/user_reference";
import type { ContradictionRow } from "./entity.ts";

export const contradiction = (row: ContradictionRow, users: ReadonlyMap<string, UserReference>) =>
  buildMessage(ContradictionSchema, { ...row, assignedUser: users.get(row.assignedTo ?? "") });
