import { expect, test } from "vitest";
import { canBecome } from "./status.ts";

test.each([
  ["DRAFT", "BASELINE_PENDING", true],
  ["DRAFT", "RUNNING", true],
  ["BASELINE_PENDING", "BASELINE_RUNNING", true],
  ["BASELINE_RUNNING", "BASELINE_COMPLETED", true],
  ["BASELINE_COMPLETED", "RUNNING", true],
  ["RUNNING", "COMPLETED", true],
  ["COMPLETED", "COMPLETED", true],
  ["DRAFT", "ARCHIVED", true],
  ["COMPLETED", "ARCHIVED", true],
  ["BASELINE_PENDING", "DRAFT", false],
  ["RUNNING", "BASELINE_COMPLETED", false],
  ["COMPLETED", "RUNNING", false],
  ["ARCHIVED", "COMPLETED", false],
  ["ARCHIVED", "DRAFT", false],
] as const)("from %s to %s: %s", (from, to, allowed) => {
  expect(canBecome(from, to)).toBe(allowed);
});
