// Draft of the export settings. Pure.

import type { ExportSettings, NewExportSettings } from "./export-requests.ts";

export const toDraft = (settings: ExportSettings | null) => ({
  endpoint: settings?.endpoint ?? "",
  region: settings?.region ?? "us-east-1",
  bucket: settings?.bucket ?? "",
  prefix: settings?.prefix ?? "",
  pathStyle: settings?.pathStyle ?? true,
  accessKeyId: settings?.accessKeyId ?? "",
  secretAccessKey: "",
  traces: settings?.datasets.includes("TRACES") ?? true,
  tests: settings?.datasets.includes("TESTS") ?? true,
  interval: settings?.interval ?? "HOURLY",
  enabled: settings?.enabled ?? true,
});
export type ExportDraft = ReturnType<typeof toDraft>;

/** True if the stored secret cannot be kept: it is only used with the endpoint and key id that it was set for. */
export const needsSecret = (draft: ExportDraft, stored: ExportSettings | null) =>
  stored === null ||
  draft.endpoint.trim().replace(/\/$/, "") !== stored.endpoint ||
  draft.accessKeyId.trim() !== stored.accessKeyId;

export function toRequest(draft: ExportDraft): NewExportSettings {
  const { endpoint, region, bucket, prefix, pathStyle, accessKeyId, secretAccessKey, interval, enabled } = draft;
  return {
    endpoint: endpoint.trim(),
    bucket: bucket.trim(),
    accessKeyId: accessKeyId.trim(),
    pathStyle,
    interval,
    enabled,
    datasets: [...(draft.traces ? (["TRACES"] as const) : []), ...(draft.tests ? (["TESTS"] as const) : [])],
    ...(region.trim() !== "" && { region: region.trim() }),
    // Names of objects begin without a slash.
    ...(prefix.trim() !== "" && { prefix: prefix.trim().replaceAll(/^\/+|\/+$/g, "") }),
    ...(secretAccessKey !== "" && { secretAccessKey }),
  };
}
