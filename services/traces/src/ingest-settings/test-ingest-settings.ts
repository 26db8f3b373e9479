import { Redactor } from "@ems/kit/redaction";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import { rulesInForce } from "./redactors.ts";
import { storedRedactions } from "./stored-redactions.ts";

type Handler = Handlers<typeof IngestSettingsService>["testIngestSettings"];

export function testIngestSettings({ redactors }: Pick<Deps, "redactors">): Handler {
  return async ({ text, redactions }, call) => {
    const redactor =
      redactions === undefined
        ? await redactors.of(call)
        : new Redactor(rulesInForce(storedRedactions(redactions.redactions, ["redactions", "redactions"])).rules);
    if (redactor === undefined) return { text };
    return { text: await redactor.redact(call.tenant.applicationId, "test", (redaction) => redaction.text(text)) };
  };
}
