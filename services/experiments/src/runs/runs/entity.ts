import { rowById } from "@ems/kit/db/row-by-id";
import { nullable, oneOf, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export const runType = oneOf("MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING");
export const resultStatus = oneOf("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED");

export type RunRow = Row<typeof RunEntity>;

/** Unique index of the names of an application's runs. */
export const runNameKey = "run_name";

export const RunEntity = table(
  "experiments.run",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    type: runType,
    status: resultStatus,
    title: nullable(text),
    createdAt: timestamp,
    modifiedAt: timestamp,
    experimentVariantId: nullable(uuid),
    /** Distinct in the application: the table's trigger completes or replaces the inserted name. */
    name: withDefault(text, ""),
    version: nullable(text),
    commit: nullable(text),
    notes: nullable(text),
  },
  {
    indices: [
      { name: "run_created", columns: ["applicationId", "createdAt", "id"] },
      { name: runNameKey, columns: ["applicationId", "name"], unique: true },
      {
        name: "run_variant",
        columns: ["applicationId", "experimentVariantId"],
        where: "(experiment_variant_id IS NOT NULL)",
      },
    ],
  },
);

export const runById = rowById(RunEntity, "Run");

/** Versions of runs, without the columns that change with results. */
export const runVersions = rowVersions(RunEntity, { except: ["status", "modifiedAt"] });

/** Labels that a run is given at its start. Without a name, the trigger makes one. */
export type RunLabels = Pick<RunRow, "title" | "version" | "commit" | "notes">;
