// From style guides' rows to their messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { StyleGuideSchema } from "@ems/proto/catalog/v1/style_guide_service";
import type { StyleGuideRow } from "./entity.ts";

export function styleGuide({
  createdAt,
  modifiedAt,
  ...same
}: StyleGuideRow): MessageInitShape<typeof StyleGuideSchema> {
  return { ...same, createdAt: timestampFromDate(createdAt), modifiedAt: timestampFromDate(modifiedAt) };
}
