import { expect, test } from "vitest";
import { SustainedDelay } from "./load-shedding.ts";

test.each([
  ["single long delays are no overload", [0, 60_000, 0, 60_000, 0], false],
  ["sustained delay is overload", [501, 501], true],
  ["overload ends when the delay drops", [900, 900, 900, 20], false],
  ["a delay at the limit is no overload", [500, 500, 500], false],
] as const)("%s", (_, samples, isSustained) => {
  const delay = new SustainedDelay(500);
  for (const delayMs of samples) delay.add(delayMs);
  expect(delay.isSustained).toBe(isSustained);
});
