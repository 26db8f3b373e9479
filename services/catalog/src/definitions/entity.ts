import { EntitySchema } from "typeorm";

export interface EvalDefinitionRow {
  applicationId: string;
  id: string;
  orgId: string;
  type: "NATURALNESS" | "STYLE" | "RECALL" | "FACT" | "CUSTOM" | "OUTPUT_MATCH";
  name: string;
  criterion: string | null;
  styleGuideId: string | null;
  createdAt: Date;
  modifiedAt: Date;
}

export const EvalDefinitionEntity = new EntitySchema<EvalDefinitionRow>({
  name: "EvalDefinition",
  tableName: "eval_definition",
  schema: "catalog",
  columns: {
    applicationId: {
      type: "uuid",
      name: "application_id",
      primary: true,
      primaryKeyConstraintName: "eval_definition_pkey",
    },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "eval_definition_pkey" },
    orgId: { type: "text", name: "org_id" },
    type: { type: "text" },
    name: { type: "text" },
    criterion: { type: "text", nullable: true },
    styleGuideId: { type: "uuid", name: "style_guide_id", nullable: true },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  checks: [
    {
      name: "eval_definition_type_check",
      expression: "type IN ('NATURALNESS', 'STYLE', 'RECALL', 'FACT', 'CUSTOM', 'OUTPUT_MATCH')",
    },
    { name: "eval_definition_style_check", expression: "(type = 'STYLE') = (style_guide_id IS NOT NULL)" },
  ],
  indices: [
    { name: "eval_definition_created", columns: ["applicationId", "createdAt", "id"] },
    { name: "eval_definition_style_guide", columns: ["applicationId", "styleGuideId"] },
  ],
  foreignKeys: [
    {
      name: "eval_definition_style_guide_fkey",
      target: "StyleGuide",
      columnNames: ["applicationId", "styleGuideId"],
      referencedColumnNames: ["applicationId", "id"],
    },
  ],
});
