import { expect, test } from "vitest";
import { deliveryDelaysMs, durationText, withLimits } from "./limits.ts";

test.each([
  [5_000, "5 seconds"],
  [60_000, "1 minute"],
  [90_000, "90 seconds"],
  [24 * 3_600_000, "24 hours"],
  [120 * 3_600_000, "120 hours"],
  [14 * 86_400_000, "14 days"],
])("%d ms are written as %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test("names in texts are replaced with limits: counts, sizes, times and lists of delays", () => {
  const limits = { rowsMax: 10_000, bodyBytesMax: 2_097_152, waitMs: 300_000, deliveryDelaysMs };
  expect(withLimits("{rowsMax}, {bodyBytesMax}, {waitMs}, {id}", limits)).toBe("10,000, 2 MiB, 5 minutes, {id}");
  expect(withLimits("{queueDays} days, {tracesMin}", { queueDays: 90, tracesMin: 20 })).toBe("90 days, 20");
  expect(withLimits("{deliveryDelaysMs}", limits)).toMatch(/^5 seconds, 5 minutes, .*, 24 hours$/);
  expect(() => withLimits("{otherMax}", limits)).toThrow("otherMax is not a limit in limits.ts");
});
