import { expect, test } from "vitest";
import { pollDelay } from "./poll-delay.ts";

test.each([
  [0, 1_000],
  [8_000, 2_000],
  [40_000, 10_000],
  [3_600_000, 15_000],
])("after %i ms without progress, the next poll is in %i ms", (sinceMs, delayMs) => {
  expect(pollDelay(sinceMs)).toBe(delayMs);
});
