import { nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export const runType = oneOf("MANUAL", "SCHEDULED", "EXPERIMENT", "MONITORING");
export const resultStatus = oneOf("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED");

export type RunRow = Row<typeof RunEntity>;

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
  },
  {
    indices: [
      { name: "run_created", columns: ["applicationId", "createdAt", "id"] },
      {
        name: "run_variant",
        columns: ["applicationId", "experimentVariantId"],
        where: "(experiment_variant_id IS NOT NULL)",
      },
    ],
  },
);
