// Compares the clocks of the viewer and the product, with the same thresholds as `ems doctor`.

import type { HealthFinding } from "./settings-requests.ts";

const [warnMs, failMs] = [5_000, 60_000];

/** Returns the finding. `answeredMs` is the time at which the response arrived, by the viewer's clock. */
export function clockFinding(productTime: string, answeredMs: number): HealthFinding {
  const apartMs = Math.abs(answeredMs - Date.parse(productTime));
  if (apartMs < warnMs)
    return { name: "clock", status: "OK", detail: "It agrees with this computer's clock.", advice: null };
  return {
    name: "clock",
    status: apartMs < failMs ? "WARNING" : "FAILURE",
    detail: `It differs from this computer's clock by ${Math.round(apartMs / 1_000)} s.`,
    advice: "Synchronize both clocks (NTP): webhook receivers reject signatures with a different time.",
  };
}
