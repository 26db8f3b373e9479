import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import { IngestSettingEntity, type IngestSettingRow } from "./entity.ts";
import { ingestSettings } from "./messages.ts";
import { storedRedactions } from "./stored-redactions.ts";

type Handler = Handlers<typeof IngestSettingsService>["updateIngestSettings"];

export function updateIngestSettings({
  database,
  clock,
  redactors,
}: Pick<Deps, "database" | "clock" | "redactors">): Handler {
  return async ({ redactions }, call) => {
    const { applicationId, orgId } = call.tenant;
    const stored = storedRedactions(redactions);
    const answer = await database.change(call, async (tx) => {
      const row: IngestSettingRow = { applicationId, orgId, redactions: stored, modifiedAt: clock.now() };
      await tx.insert(IngestSettingEntity, row, { key: ["applicationId"], update: ["redactions", "modifiedAt"] });
      return { data: ingestSettings(row) };
    });
    redactors.forget(applicationId);
    return answer;
  };
}
