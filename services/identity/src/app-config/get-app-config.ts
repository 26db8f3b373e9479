import { notFound } from "@ems/kit/errors";
import type { Call } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { AppConfigService } from "@ems/proto/identity/v1/app_config_service";
import type { Deps } from "../deps.ts";
import type { AppConfigRow } from "./entity.ts";

type Handler = Handlers<typeof AppConfigService>["getAppConfig"];
type Flags = Omit<AppConfigRow, "orgId" | "applicationId">;

/** An application without a row of flags has none of them. */
const flagsOf = `SELECT
    coalesce(c.crawler_enabled, false) AS "crawlerEnabled", coalesce(c.ocr_enabled, false) AS "ocrEnabled",
    coalesce(c.ask_assistant_enabled, false) AS "askAssistantEnabled",
    coalesce(c.cra_evidence_pack_enabled, false) AS "craEvidencePackEnabled",
    coalesce(c.chatbot_playground_enabled, false) AS "chatbotPlaygroundEnabled",
    coalesce(c.sota_model_enabled, false) AS "sotaModelEnabled"
  FROM identity.application a
  LEFT JOIN identity.app_config c ON c.org_id = a.org_id AND c.application_id = a.id
  WHERE a.org_id = $1 AND`;

/** The flags of the application that the caller named, or that a slug names, or else of the key's own. */
export function getAppConfig({ database, analytics }: Pick<Deps, "database" | "analytics">): Handler {
  return async ({ applicationSlug, slug }, call) => {
    const isNamed = call.tenant.isApplicationImplied !== true;
    const [flags] = await database.read<Flags>(call, statement(call, isNamed ? undefined : (applicationSlug ?? slug)));
    if (flags === undefined) throw notFound("Application");
    return { data: { ...flags, analytics } };
  };
}

function statement({ tenant: { orgId, applicationId } }: Call, slug: string | undefined) {
  if (slug === undefined) {
    return { name: "get-app-config", text: `${flagsOf} a.id = $2`, values: [orgId, applicationId] };
  }
  return { name: "get-app-config-by-slug", text: `${flagsOf} a.slug = $2`, values: [orgId, slug] };
}
