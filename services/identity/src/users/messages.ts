// From users' rows to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { UserSchema } from "@ems/proto/identity/v1/user_service";
import type { UserReferenceSchema } from "@ems/proto/type/v1/user_reference";
import type { AppUserRow } from "./entity.ts";

export function user({
  id,
  name,
  email,
  image,
  createdAt,
  modifiedAt,
}: AppUserRow): MessageInitShape<typeof UserSchema> {
  return {
    id,
    name,
    ...(email !== null && { email }),
    ...(image !== null && { image }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

export function userReference({ id, name, email, image }: AppUserRow): MessageInitShape<typeof UserReferenceSchema> {
  return { id, name, ...(email !== null && { email }), ...(image !== null && { image }) };
}
