// Compares the viewer's clock with the product's. Thresholds as in `ems doctor`.

import type { HealthFinding } from "./settings-requests.ts";

const [warnMs, failMs] = [5_000, 60_000];

/** `answeredMs` is the arrival time of the answer by the viewer's clock. */
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
