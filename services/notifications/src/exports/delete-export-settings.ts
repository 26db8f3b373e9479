import type { Handlers } from "@ems/kit/rpc/service";
import type { ExportSettingsService } from "@ems/proto/notifications/v1/export_settings_service";
import type { Deps } from "../deps.ts";
import { ExportJobEntity, ExportSettingEntity } from "./entity.ts";

type Handler = Handlers<typeof ExportSettingsService>["deleteExportSettings"];

/** Deletes the export settings of the application. An upload in progress ends, and is not recorded. */
export function deleteExportSettings({ database }: Pick<Deps, "database">): Handler {
  return (_, call) =>
    database.change(call, async (tx) => {
      const { applicationId } = call.tenant;
      await tx.delete(ExportSettingEntity, { applicationId });
      await tx.delete(ExportJobEntity, { applicationId });
      return {};
    });
}
