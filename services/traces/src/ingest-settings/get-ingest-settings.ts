import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import { ingestSettingVersions, type StoredSettings } from "./entity.ts";
import { ingestSettings } from "./messages.ts";

type Handler = Handlers<typeof IngestSettingsService>["getIngestSettings"];

const text = `SELECT redactions, paths, noise, modified_at AS "modifiedAt" FROM traces.ingest_setting WHERE application_id = $1`;

export function getIngestSettings({ database }: Pick<Deps, "database">): Handler {
  return async (_request, call) => {
    const { applicationId } = call.tenant;
    const statement = { name: "get-ingest-settings", text, values: [applicationId] };
    const [row] = await database.read<StoredSettings>(call, statement);
    ingestSettingVersions.answer(call, { applicationId, row });
    return { data: ingestSettings(row) };
  };
}
