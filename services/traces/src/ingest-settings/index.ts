import { type Mount, mount } from "@ems/kit/rpc/service";
import { IngestSettingsService } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { Deps } from "../deps.ts";
import { getIngestSettings } from "./get-ingest-settings.ts";
import { rereadTraces } from "./reread-traces.ts";
import { testIngestSettings } from "./test-ingest-settings.ts";
import { updateIngestSettings } from "./update-ingest-settings.ts";

export { type ArrivalRule, ArrivalRules } from "./arrival-rules.ts";
export type { DecideNoise, NoiseDecision } from "./noise.ts";
export { redactUpdates } from "./redact-updates.ts";
export { Redactors } from "./redactors.ts";

export const ingestSettings = (deps: Deps): Mount =>
  mount(IngestSettingsService, {
    getIngestSettings: getIngestSettings(deps),
    updateIngestSettings: updateIngestSettings(deps),
    testIngestSettings: testIngestSettings(deps),
    rereadTraces: rereadTraces(deps),
  });
