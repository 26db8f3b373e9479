import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { buildMessage } from "@ems/kit/message";
import { ExperimentSchema } from "@ems/proto/experiments/v1/experiment_service";
import type { ExperimentRow, TaskSetSummary } from "./entity.ts";

export const experiment = (row: ExperimentRow) =>
  buildMessage(ExperimentSchema, { ...row, taskSet: row.taskSet && taskSet(row.taskSet) });

export const taskSet = ({ id, hash, tasks, createdAt }: TaskSetSummary) => ({
  id,
  hash,
  tasks: BigInt(tasks),
  createdAt: timestampFromDate(new Date(createdAt)),
});
