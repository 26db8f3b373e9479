import { expect, test } from "vitest";
import { lagMs } from "./kinds.ts";

const dayMs = 86_400_000;
const at = (day: number, hours = 0) => new Date(day * dayMs + hours * 3_600_000);

test.each([
  ["since midnight, of the day after the last that was cleared", at(100, 3), 70 * dayMs, 3],
  ["of three days that nobody cleared", at(102, 3), 70 * dayMs, 51],
  ["since the process knows of it, where nothing was cleared yet", at(100, 3), null, 1],
  ["since then too, where fewer days were kept before", at(100, 3), 90 * dayMs, 1],
])("what waits to be deleted has waited %s", (_, now, clearedBefore, hours) => {
  const startedAt = new Date(now.getTime() - 3_600_000);
  expect(lagMs({ now, days: 29, clearedBefore, startedAt })).toBe(hours * 3_600_000);
});
