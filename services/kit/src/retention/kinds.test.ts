import { expect, test } from "vitest";
import { lagMs } from "./kinds.ts";

const dayMs = 86_400_000;
const at = (day: number, hours = 0) => new Date(day * dayMs + hours * 3_600_000);

test.each([
  ["since midnight after the last cleared day", at(100, 3), 70 * dayMs, 3],
  ["for three uncleared days", at(102, 3), 70 * dayMs, 51],
  ["since the start of the process if nothing was cleared yet", at(100, 3), null, 1],
  ["since the start of the process if the number of days was reduced", at(100, 3), 90 * dayMs, 1],
])("expired rows have waited %s", (_, now, clearedBefore, hours) => {
  const startedAt = new Date(now.getTime() - 3_600_000);
  expect(lagMs({ now, days: 29, clearedBefore, startedAt })).toBe(hours * 3_600_000);
});
