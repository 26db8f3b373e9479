import { expect, test } from "vitest";
import { canBecome, deriveStatus } from "./status.ts";

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

const [D, R, C, F, X] = ["DRAFT", "RUNNING", "COMPLETED", "FAILED", "REJECTED"] as const;

test.each([
  ["DRAFT", [], "DRAFT"],
  ["RUNNING", [], "RUNNING"],
  ["DRAFT", [D], "BASELINE_PENDING"],
  ["BASELINE_PENDING", [R], "BASELINE_RUNNING"],
  ["BASELINE_RUNNING", [F], "BASELINE_PENDING"],
  ["BASELINE_RUNNING", [C], "BASELINE_COMPLETED"],
  ["BASELINE_RUNNING", [C, D, D], "BASELINE_COMPLETED"],
  ["BASELINE_COMPLETED", [C, R, D], "RUNNING"],
  ["RUNNING", [C, C, D], "RUNNING"],
  ["RUNNING", [C, C, F, X], "COMPLETED"],
  ["COMPLETED", [C, C, D], "RUNNING"],
  ["COMPLETED", [R, C], "BASELINE_RUNNING"],
  ["ARCHIVED", [C, R], "ARCHIVED"],
] as const)("%s with the baseline and variants %j becomes %s", (status, [baseline, ...branches], expected) => {
  const variants = [
    ...(baseline === undefined ? [] : [{ parentId: null, status: baseline }]),
    ...branches.map((of) => ({ parentId: "baseline", status: of })),
  ];
  expect(deriveStatus(status, variants)).toBe(expected);
});
