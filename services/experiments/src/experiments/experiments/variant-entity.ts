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

/** Parameters by name, for each inference step, identified by its external id. */
export type VariantConfig = Readonly<Record<string, JsonObject>>;

export type VariantRow = Row<typeof VariantEntity>;

/** A configuration that an experiment compares. The variant without a parent is the baseline. */
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
    /** The parent's configuration with the patch applied. Stored, because every prompt contains it. */
    config: json<VariantConfig>(),
    /** The variant's last run. */
    runId: nullable(uuid),
    /** True if the run is stopped and requests no further prompts. */
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

/** Returns true if the variant has a run, running or ended; a run whose tests all failed does not count. */
export const isStarted = ({ runId, status }: Pick<VariantRow, "runId" | "status">) =>
  runId !== null && status !== "FAILED";
