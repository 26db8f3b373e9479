import { foreignKey, jsonb, nullable, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";
import { rowVersions } from "@ems/kit/db/version";

export type StyleGuideRow = Row<typeof StyleGuideEntity>;

/** A section as stored. */
export interface StyleGuideSectionValue {
  heading: string;
  content: string;
  approved: boolean;
}

export const StyleGuideEntity = table(
  "catalog.style_guide",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    quickstartId: nullable(uuid),
    content: jsonb<StyleGuideSectionValue[]>(),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [{ name: "style_guide_created", columns: ["applicationId", "createdAt", "id"] }],
    foreignKeys: [foreignKey("style_guide_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart")],
  },
);

export const styleGuideVersions = rowVersions(StyleGuideEntity);

/** Converts a message's sections to the stored form, without `$typeName`. */
export function sectionValues(sections: readonly StyleGuideSectionValue[]): StyleGuideSectionValue[] {
  return sections.map(({ heading, content, approved }) => ({ heading, content, approved }));
}
