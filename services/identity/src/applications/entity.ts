import {
  boolean,
  foreignKey,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  typedText,
  uuid,
  withDefault,
} from "@ems/kit/db/table";

export type ApplicationRow = Row<typeof ApplicationEntity>;

export const ApplicationEntity = table(
  "identity.application",
  {
    orgId: text,
    id: uuid,
    title: text,
    slug: text,
    description: text,
    context: text,
    language: withDefault(oneOf("da", "de", "en", "es", "fr", "it", "nl", "pt", "sv"), "en"),
    type: typedText<"CHATBOT" | "AGENT">(),
    environment: typedText<"DEV" | "PROD">(),
    humanAnnotationEnabled: boolean,
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    uniques: [{ name: "application_slug_key", columns: ["orgId", "slug"] }],
    indices: [
      { name: "application_created", columns: ["orgId", "createdAt", "id"] },
      { name: "application_id", columns: ["id"] },
    ],
    foreignKeys: [foreignKey("application_organisation_fkey", ["orgId"], "organisation", ["id"])],
  },
);
