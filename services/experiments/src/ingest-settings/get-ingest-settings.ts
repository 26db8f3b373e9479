import type { Handlers } from "@ems/kit/rpc/service";
import type { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import type { IngestSettingRow } from "./entity.ts";
import { ingestSettings } from "./messages.ts";

type Handler = Handlers<typeof IngestSettingsService>["getIngestSettings"];

const text = `SELECT redactions, modified_at AS "modifiedAt" FROM experiments.ingest_setting WHERE application_id = $1`;

export function getIngestSettings({ database }: Pick<Deps, "database">): Handler {
  return async (_request, call) => {
    const values = [call.tenant.applicationId];
    const statement = { name: "get-ingest-settings", text, values };
    const [row] = await database.read<Pick<IngestSettingRow, "redactions" | "modifiedAt">>(call, statement);
    return { data: ingestSettings(row) };
  };
}
