// Whether the viewer's clock and the product's agree; the thresholds are those of `ems doctor`.

import type { HealthFinding } from "./settings-requests.ts";

const [warnMs, failMs] = [5_000, 60_000];

/** `answeredMs` is when the answer came, by the viewer's clock. */
export function clockFinding(productTime: string, answeredMs: number): HealthFinding {
  const apartMs = Math.abs(answeredMs - Date.parse(productTime));
  if (apartMs < warnMs) return { name: "clock", status: "OK", detail: "It agrees with this computer's.", advice: null };
  return {
    name: "clock",
    status: apartMs < failMs ? "WARNING" : "FAILURE",
    detail: `It and this computer's are ${Math.round(apartMs / 1_000)} s apart.`,
    advice: "Synchronise both (NTP): receivers of webhooks refuse signatures of another time.",
  };
}
