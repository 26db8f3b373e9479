import { expect, test } from "vitest";
import { clockFinding } from "./clock-finding.ts";

const time = "2026-11-23T12:00:00.000Z";
const at = (offsetMs: number) => clockFinding(time, Date.parse(time) + offsetMs);

test.each([
  [0, "OK"],
  [4_999, "OK"],
  [-5_000, "WARNING"],
  [59_999, "WARNING"],
  [60_000, "FAILURE"],
  [-3_600_000, "FAILURE"],
])("%d ms apart: %s", (offsetMs, status) => {
  expect(at(offsetMs).status).toBe(status);
});

test("the finding states the difference", () => {
  expect(at(-90_000).detail).toBe("It differs from this computer's clock by 90 s.");
});
