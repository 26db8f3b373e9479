import { json, nullable, oneOf, type Row, table, text, timestamp, uuid, uuids } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";
import { statuses } from "./status.ts";

export type ExperimentRow = Row<typeof ExperimentEntity>;

/** Summary of the tasks that were frozen when the baseline was first started. */
export interface TaskSetSummary {
  readonly id: string;
  readonly hash: string;
  readonly tasks: number;
  /** Time in ISO 8601 format. */
  readonly createdAt: string;
}

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
    taskSet: nullable(json<TaskSetSummary>()),
  },
  { indices: [{ name: "experiment_created", columns: ["applicationId", "createdAt", "id"] }] },
);

export const experimentVersions = rowVersions(ExperimentEntity);
