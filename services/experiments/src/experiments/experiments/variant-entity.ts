import type { JsonObject } from "@bufbuild/protobuf";
import {
  boolean,
  foreignKey,
  json,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

/** Parameters by name, by the external id of the inference step. */
export type VariantConfig = Readonly<Record<string, JsonObject>>;

export type VariantRow = Row<typeof VariantEntity>;

/** A configuration that an experiment compares. The first one, without a parent, is the baseline. */
export const VariantEntity = table(
  "experiments.experiment_variant",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    experimentId: uuid,
    parentId: nullable(uuid),
    title: text,
    description: text,
    status: oneOf("DRAFT", "RUNNING", "COMPLETED", "FAILED", "REJECTED"),
    configPatch: json<VariantConfig>(),
    /** The parent's with the patch: stored, since every prompt carries it. */
    config: json<VariantConfig>(),
    /** The last one. */
    runId: nullable(uuid),
    /** No further prompts of the run are asked for. */
    stopped: withDefault(boolean, false),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [{ name: "experiment_variant_created", columns: ["applicationId", "experimentId", "createdAt", "id"] }],
    foreignKeys: [
      foreignKey("experiment_variant_experiment_fkey", ["applicationId", "experimentId"], "experiment"),
      foreignKey("experiment_variant_parent_fkey", ["applicationId", "parentId"], "experiment_variant"),
    ],
  },
);

export const variantVersions = rowVersions(VariantEntity);

/** Whether its configuration has been measured, or is: what failed altogether has not. */
export const isStarted = ({ runId, status }: Pick<VariantRow, "runId" | "status">) =>
  runId !== null && status !== "FAILED";
