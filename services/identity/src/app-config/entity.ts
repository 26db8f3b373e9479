import { EntitySchema } from "typeorm";

/** The feature flags of an application; one without a row has none. Operators set them, by SQL. */
export interface AppConfigRow {
  orgId: string;
  applicationId: string;
  crawlerEnabled: boolean;
  ocrEnabled: boolean;
  askAssistantEnabled: boolean;
  craEvidencePackEnabled: boolean;
  chatbotPlaygroundEnabled: boolean;
  sotaModelEnabled: boolean;
}

export const AppConfigEntity = new EntitySchema<AppConfigRow>({
  name: "AppConfig",
  tableName: "app_config",
  schema: "identity",
  columns: {
    orgId: { type: "text", name: "org_id", primary: true, primaryKeyConstraintName: "app_config_pkey" },
    applicationId: { type: "uuid", name: "application_id", primary: true, primaryKeyConstraintName: "app_config_pkey" },
    crawlerEnabled: { type: "boolean", name: "crawler_enabled", default: false },
    ocrEnabled: { type: "boolean", name: "ocr_enabled", default: false },
    askAssistantEnabled: { type: "boolean", name: "ask_assistant_enabled", default: false },
    craEvidencePackEnabled: { type: "boolean", name: "cra_evidence_pack_enabled", default: false },
    chatbotPlaygroundEnabled: { type: "boolean", name: "chatbot_playground_enabled", default: false },
    sotaModelEnabled: { type: "boolean", name: "sota_model_enabled", default: false },
  },
  foreignKeys: [
    {
      name: "app_config_application_fkey",
      target: "Application",
      columnNames: ["orgId", "applicationId"],
      referencedColumnNames: ["orgId", "id"],
    },
  ],
});
