import { get, post, put, type Schemas } from "../api/request.ts";

export type IngestSettings = Schemas["IngestSettings"];
export type Redaction = Schemas["Redaction"];
export type NewRedaction = Schemas["NewRedaction"];
export type BuiltInPattern = Schemas["BuiltInPattern"];

/** Maximum number of rules per application. */
export const redactionsMax = 20;

export const getIngestSettings = () => get("/v0/ingest-settings");
export const updateIngestSettings = (redactions: NewRedaction[]) =>
  put("/v0/ingest-settings", { body: { redactions } });
export const testIngestSettings = (body: Schemas["TestIngestSettingsRequest"]) =>
  post("/v0/ingest-settings/test", { body });
