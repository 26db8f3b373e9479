// API requests of the page of scheduled exports.

import { del, get, post, put, type Schemas } from "../api/request.ts";

export type ExportSettings = Schemas["ExportSettings"];
export type ExportState = Schemas["ExportState"];
export type ExportTest = Schemas["TestExportSettingsResponse"];
export type NewExportSettings = Schemas["UpdateExportSettingsRequest"];

export const refreshedByExports = ["/v0/export-settings"] as const;

export const getExportSettings = () => get("/v0/export-settings");
export const updateExportSettings = (body: NewExportSettings) => put("/v0/export-settings", { body });
export const deleteExportSettings = () => del("/v0/export-settings");
export const testExportSettings = () => post("/v0/export-settings/test");
