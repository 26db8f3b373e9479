import { invalidFields } from "@ems/kit/errors";
import type { UpdateIngestSettingsRequest } from "@ems/proto/experiments/v1/ingest_settings_service";
import { checkPaths } from "../trace-paths/index.ts";
import type { StoredSettings } from "./entity.ts";
import { findNoiseFaults, storedNoise } from "./noise.ts";
import { checkRedactions } from "./stored-redactions.ts";

/** Returns the settings in their stored form; throws the violations of all of them together. */
export function storedSettings(request: UpdateIngestSettingsRequest): Omit<StoredSettings, "modifiedAt"> {
  const redactions = checkRedactions(request.redactions, ["redactions"]);
  const paths = checkPaths(request);
  const noise = storedNoise(request.noise);
  const faults = [...redactions.faults, ...paths.faults, ...findNoiseFaults(noise)];
  if (faults.length > 0) throw invalidFields(faults);
  return {
    redactions: redactions.stored,
    paths: Object.keys(paths.stored).length === 0 ? null : paths.stored,
    noise: noise.length === 0 ? null : noise,
  };
}
