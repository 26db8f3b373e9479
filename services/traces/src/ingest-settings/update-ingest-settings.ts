import { lockVersion } from "@ems/kit/db/version";
import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import { IngestSettingEntity, type IngestSettingRow, ingestSettingVersions } from "./entity.ts";
import { ingestSettings } from "./messages.ts";
import { storedSettings } from "./stored-settings.ts";

type Handler = Handlers<typeof IngestSettingsService>["updateIngestSettings"];

export function updateIngestSettings({
  database,
  clock,
  redactors,
  arrivalRules,
}: Pick<Deps, "database" | "clock" | "redactors" | "arrivalRules">): Handler {
  return async (request, call) => {
    const { applicationId, orgId } = call.tenant;
    const { redactions, paths, noise } = storedSettings(request);
    const answer = await database.change(call, async (tx) => {
      lockVersion(tx, "ingest_setting", applicationId);
      if (call.ifMatch !== undefined) {
        const before = await tx.findOne(IngestSettingEntity, { applicationId });
        ingestSettingVersions.check(call, { applicationId, row: before });
      }
      const row: IngestSettingRow = { applicationId, orgId, redactions, paths, noise, modifiedAt: clock.now() };
      const update = ["redactions", "paths", "noise", "modifiedAt"] as const;
      await tx.insert(IngestSettingEntity, row, { key: ["applicationId"], update });
      ingestSettingVersions.answer(call, { applicationId, row });
      return { data: ingestSettings(row) };
    });
    redactors.forget(applicationId);
    arrivalRules.forget(applicationId);
    return answer;
  };
}
