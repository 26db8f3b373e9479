import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { ResultStatus, type RunSchema, RunType } from "@ems/proto/experiments/v1/run";
import type { RunRow } from "./entity.ts";

export function run({
  type,
  status,
  title,
  createdAt,
  modifiedAt,
  ...same
}: RunRow): MessageInitShape<typeof RunSchema> {
  return {
    ...same,
    type: RunType[type],
    status: ResultStatus[status],
    ...(title !== null && { title }),
    createdAt: timestampFromDate(createdAt),
    modifiedAt: timestampFromDate(modifiedAt),
  };
}
