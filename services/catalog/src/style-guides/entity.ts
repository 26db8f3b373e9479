import { EntitySchema } from "typeorm";

export interface StyleGuideRow {
  applicationId: string;
  id: string;
  orgId: string;
  content: StyleGuideSectionValue[];
  createdAt: Date;
  modifiedAt: Date;
}

/** A section as it lies in the column. */
export interface StyleGuideSectionValue {
  heading: string;
  content: string;
  approved: boolean;
}

export const StyleGuideEntity = new EntitySchema<StyleGuideRow>({
  name: "StyleGuide",
  tableName: "style_guide",
  schema: "catalog",
  columns: {
    applicationId: {
      type: "uuid",
      name: "application_id",
      primary: true,
      primaryKeyConstraintName: "style_guide_pkey",
    },
    id: { type: "uuid", primary: true, primaryKeyConstraintName: "style_guide_pkey" },
    orgId: { type: "text", name: "org_id" },
    content: { type: "jsonb" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
    modifiedAt: { type: "timestamptz", name: "modified_at", precision: 3 },
  },
  indices: [{ name: "style_guide_created", columns: ["applicationId", "createdAt", "id"] }],
});

/** The columns of StyleGuideRow, of `catalog.style_guide`. */
export const styleGuideColumns = `application_id AS "applicationId", id, org_id AS "orgId", content,
  created_at AS "createdAt", modified_at AS "modifiedAt"`;

/** A message's sections as they lie in the column: without what the runtime of messages adds. */
export function sectionValues(sections: readonly StyleGuideSectionValue[]): StyleGuideSectionValue[] {
  return sections.map(({ heading, content, approved }) => ({ heading, content, approved }));
}
