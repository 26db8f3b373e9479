import { expect, test } from "vitest";
import { SustainedDelay } from "./load-shedding.ts";

test.each([
  ["held up once, for however long", [0, 60_000, 0, 60_000, 0], false],
  ["late without end", [501, 501], true],
  ["late no longer", [900, 900, 900, 20], false],
  ["as late as may be", [500, 500, 500], false],
] as const)("%s", (_, samples, isSustained) => {
  const delay = new SustainedDelay(500);
  for (const delayMs of samples) delay.add(delayMs);
  expect(delay.isSustained).toBe(isSustained);
});
