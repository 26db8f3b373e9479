import { boolean, foreignKey, type Row, table, text, uuid, withDefault } from "@ems/kit/db/table";

export type AppConfigRow = Row<typeof AppConfigEntity>;

/** Feature flags of applications; an application without a row has none. Operators set them with SQL. */
export const AppConfigEntity = table(
  "identity.app_config",
  {
    orgId: text,
    applicationId: uuid,
    crawlerEnabled: withDefault(boolean, false),
    ocrEnabled: withDefault(boolean, false),
    askAssistantEnabled: withDefault(boolean, false),
    craEvidencePackEnabled: withDefault(boolean, false),
    chatbotPlaygroundEnabled: withDefault(boolean, false),
    sotaModelEnabled: withDefault(boolean, false),
  },
  {
    primaryKey: ["orgId", "applicationId"],
    foreignKeys: [foreignKey("app_config_application_fkey", ["orgId", "applicationId"], "application")],
  },
);
