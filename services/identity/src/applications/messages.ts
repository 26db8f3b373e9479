// From identity's rows to its messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  ApplicationEnvironment,
  type ApplicationSchema,
  ApplicationType,
} from "@ems/proto/identity/v1/application_service";
import type { UserReferenceSchema } from "@ems/proto/type/v1/user_reference";
import type { AppUserRow } from "../users/entity.ts";
import type { ApplicationRow } from "./entity.ts";

export function application(row: ApplicationRow): MessageInitShape<typeof ApplicationSchema> {
  const { language, createdAt, modifiedAt, ...same } = row;
  return {
    ...same,
    ...(language !== null && { language }),
    type: ApplicationType[row.type],
    environment: ApplicationEnvironment[row.environment],
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}

export function userReference({ id, name, email, image }: AppUserRow): MessageInitShape<typeof UserReferenceSchema> {
  return { id, name, ...(email !== null && { email }), ...(image !== null && { image }) };
}
