import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { QuickstartSchema } from "@ems/proto/experiments/v1/quickstart_service";
import type { QuickstartRow } from "./entity.ts";

export function quickstart({
  createdAt,
  modifiedAt,
  ...row
}: QuickstartRow): MessageInitShape<typeof QuickstartSchema> {
  return { ...row, createdAt: timestampFromDate(createdAt), modifiedAt: timestampFromDate(modifiedAt) };
}
