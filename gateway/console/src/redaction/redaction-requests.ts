import { get, post, put, type Schemas } from "../api/request.ts";

export type IngestSettings = Schemas["IngestSettings"];
export type Redaction = Schemas["Redaction"];
export type NewRedaction = Schemas["NewRedaction"];
export type BuiltInPattern = Schemas["BuiltInPattern"];

/** Maximum number of rules per application. */
export const redactionsMax = 20;

/** Returns a request's body with the settings that a form does not edit, because omitted settings are removed. */
export function withOtherSettings(
  { modifiedAt: _modifiedAt, redactions, noise, ...paths }: IngestSettings,
  edited: Partial<Schemas["UpdateIngestSettingsRequest"]>,
): Schemas["UpdateIngestSettingsRequest"] {
  const set = Object.fromEntries(Object.entries(paths).filter(([, path]) => path !== null));
  return { ...set, ...(noise.length > 0 && { noise }), redactions: redactions.map(toStored), ...edited };
}

/** Returns a rule in the form of a request: with one of pattern and built-in pattern. */
const toStored = ({ pattern, builtIn, ...rule }: Redaction): NewRedaction => ({
  ...rule,
  ...(pattern !== null && { pattern }),
  ...(builtIn !== null && { builtIn }),
});

export const getIngestSettings = () => get("/v0/ingest-settings");
export const updateIngestSettings = (body: Schemas["UpdateIngestSettingsRequest"]) =>
  put("/v0/ingest-settings", { body });
export const testIngestSettings = (body: Schemas["TestIngestSettingsRequest"]) =>
  post("/v0/ingest-settings/test", { body });
