import { nullable, oneOf, type Row, table, text, timestamp, uuid, uuids } from "@ems/kit/db/table";
import { statuses } from "./status.ts";

export type ExperimentRow = Row<typeof ExperimentEntity>;

export const ExperimentEntity = table(
  "experiments.experiment",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    title: text,
    description: text,
    status: oneOf(...statuses),
    inferenceStepIds: uuids,
    taskIds: uuids,
    assignee: nullable(text),
    createdAt: timestamp,
    modifiedAt: timestamp,
    promotedVariantId: nullable(uuid),
  },
  { indices: [{ name: "experiment_created", columns: ["applicationId", "createdAt", "id"] }] },
);
