// From applications' rows to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  ApplicationEnvironment,
  type ApplicationSchema,
  ApplicationType,
} from "@ems/proto/identity/v1/application_service";
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
