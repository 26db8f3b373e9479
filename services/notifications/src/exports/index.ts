import { type Mount, mount } from "@ems/kit/rpc/service";
import { ExportSettingsService } from "@ems/proto/notifications/v1/export_settings_service";
import type { Deps } from "../deps.ts";
import { deleteExportSettings } from "./delete-export-settings.ts";
import { getExportSettings } from "./get-export-settings.ts";
import { testExportSettings } from "./test-export-settings.ts";
import { updateExportSettings } from "./update-export-settings.ts";

export { createStorage, type Storage } from "./settings.ts";
export { exportSource } from "./worker/source.ts";
export { startExporter } from "./worker/worker.ts";

export const exports = (deps: Deps): Mount =>
  mount(ExportSettingsService, {
    getExportSettings: getExportSettings(deps),
    updateExportSettings: updateExportSettings(deps),
    deleteExportSettings: deleteExportSettings(deps),
    testExportSettings: testExportSettings(deps),
  });
