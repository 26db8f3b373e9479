import { boolean, foreignKey, nullable, type Row, table, text, timestamp, uuid, withDefault } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type ContradictionRow = Row<typeof ContradictionEntity>;

export const ContradictionEntity = table(
  "experiments.contradiction",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    quickstartId: uuid,
    documentTestId: uuid,
    documentAId: uuid,
    documentBId: uuid,
    reason: text,
    passageA: text,
    passageB: text,
    resolved: withDefault(boolean, false),
    assignedTo: nullable(text),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "contradiction_created", columns: ["applicationId", "quickstartId", "createdAt", "id"] },
      { name: "contradiction_documents", columns: ["applicationId", "documentAId", "documentBId"] },
    ],
    foreignKeys: [foreignKey("contradiction_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart")],
  },
);

export const contradictionVersions = rowVersions(ContradictionEntity);
