import type { Handlers } from "@ems/kit/rpc/service";
import type { ExportSettingsService } from "@ems/proto/notifications/v1/export_settings_service";
import type { Deps } from "../deps.ts";
import { ExportJobEntity, ExportSettingEntity, exportSettingVersions } from "./entity.ts";
import { exportSettings } from "./messages.ts";

type Handler = Handlers<typeof ExportSettingsService>["getExportSettings"];

/** Returns the export settings of the application, if it has some. */
export function getExportSettings({ database }: Pick<Deps, "database">): Handler {
  return async (_, call) => {
    const { applicationId } = call.tenant;
    const [row, jobs] = await database.withTenant(call, (tx) =>
      Promise.all([tx.findOne(ExportSettingEntity, { applicationId }), tx.find(ExportJobEntity, { applicationId })]),
    );
    exportSettingVersions.answer(call, { applicationId, row });
    return row === null ? {} : { data: exportSettings(row, jobs) };
  };
}
