import { buildMessage } from "@ems/kit/message";
import { UserSchema } from "@ems/proto/identity/v1/user_service";
import { UserReferenceSchema } from "@ems/proto/type/v1/user_reference";
import type { AppUserRow } from "./entity.ts";

export const user = (row: AppUserRow) => buildMessage(UserSchema, row);

export const userReference = (row: AppUserRow) => buildMessage(UserReferenceSchema, { ...row, email: row.email ?? "" });
