// From tags' rows to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type TagSchema, TagStatus } from "@ems/proto/catalog/v1/tag_service";
import type { TagRow } from "./entity.ts";

export function tag({ status, createdAt, modifiedAt, ...same }: TagRow): MessageInitShape<typeof TagSchema> {
  return {
    ...same,
    status: TagStatus[status],
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
