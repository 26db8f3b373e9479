import { notFound } from "@ems/kit/errors";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import type { Deps } from "../deps.ts";
import type { AppConfigRow } from "./entity.ts";

type Flags = Omit<AppConfigRow, "orgId" | "applicationId">;

/** Selects the flags; an application without a row has none. */
const flags = `SELECT
    coalesce(config.crawler_enabled, false) AS "crawlerEnabled", coalesce(config.ocr_enabled, false) AS "ocrEnabled",
    coalesce(config.ask_assistant_enabled, false) AS "askAssistantEnabled",
    coalesce(config.cra_evidence_pack_enabled, false) AS "craEvidencePackEnabled",
    coalesce(config.chatbot_playground_enabled, false) AS "chatbotPlaygroundEnabled",
    coalesce(config.sota_model_enabled, false) AS "sotaModelEnabled"
  FROM identity.application
  LEFT JOIN identity.app_config config ON config.org_id = application.org_id AND config.application_id = application.id
  WHERE application.org_id = $1 AND`;
const byId = { name: "get-app-config", text: `${flags} application.id = $2` };
const bySlug = { name: "get-app-config-by-slug", text: `${flags} application.slug = $2` };

/** Returns the flags of the application in the tenant header, else of the one with the slug, else of the key's. */
export function getAppConfig({ database, analytics }: Deps): Handlers<typeof AppConfigService>["getAppConfig"] {
  return async (request, call) => {
    const { orgId, applicationId, isApplicationImplied } = call.tenant;
    const slug = isApplicationImplied ? (request.applicationSlug ?? request.slug) : undefined;
    const statement =
      slug === undefined ? { ...byId, values: [orgId, applicationId] } : { ...bySlug, values: [orgId, slug] };
    const [row] = await database.read<Flags>(call, statement);
    if (row === undefined) throw notFound("Application");
    return { data: { ...row, analytics } };
  };
}
