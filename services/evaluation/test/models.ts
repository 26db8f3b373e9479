import { readConfig } from "@ems/kit/config";
import type { CalledConnection } from "../src/model/caller.ts";
import { createModels, type Models } from "../src/model/index.ts";
import { modelSettings } from "../src/model/settings.ts";

/** Creates models whose servers may be on this machine. */
export function testModels(env: Record<string, string> = {}): Models {
  return createModels(readConfig(modelSettings, { MODEL_ALLOW_CIDRS: "127.0.0.1/32", ...env }));
}

let count = 0;

export const testConnection = (baseUrl: string, more: Partial<CalledConnection> = {}): CalledConnection => ({
  id: `connection-${count++}`,
  modifiedAt: new Date(0),
  provider: "openai",
  baseUrl,
  model: "model-a",
  apiKey: "sk-secret-of-the-tests-1234",
  ...more,
});
