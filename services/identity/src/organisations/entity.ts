import { EntitySchema } from "typeorm";

export interface OrganisationRow {
  id: string;
  name: string;
  createdAt: Date;
  modifiedAt: Date;
}

export const OrganisationEntity = new EntitySchema<OrganisationRow>({
  name: "Organisation",
  tableName: "organisation",
  schema: "identity",
  columns: {
    id: { type: "text", primary: true, primaryKeyConstraintName: "organisation_pkey" },
    name: { type: "text" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
});
