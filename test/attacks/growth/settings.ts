// Rate limits are lifted, since each attack is measured by itself; size limits are the defaults.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { unlimited } from "../../harness/unlimited.ts";

export const settings: Record<string, string> = {
  ...unlimited,
  AUTH_FAILURES_PER_MINUTE: "1000000",
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "probe.ts"))}`,
};
