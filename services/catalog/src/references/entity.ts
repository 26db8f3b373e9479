import { EntitySchema } from "typeorm";

/** A quickstart that a topic may name; the quickstart itself is the experiments service's. */
export interface QuickstartRow {
  applicationId: string;
  id: string;
}

export const QuickstartEntity = new EntitySchema<QuickstartRow>({
  name: "Quickstart",
  tableName: "quickstart",
  schema: "catalog",
  columns: {
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "quickstart_pkey" },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "quickstart_pkey" },
  },
});
