import fc from "fast-check";
import { expect, test } from "vitest";
import { toSlug } from "./slug.ts";

test.each([
  ["Retail bank: support", "retail-bank-support"],
  ["  Überweisung – Café №7 ", "uberweisung-cafe-no7"],
  ["a--b", "a-b"],
  ["AGENT 007", "agent-007"],
  ["日本語", ""],
  ["…", ""],
  ["x".repeat(300), "x".repeat(256)],
  [`${"x".repeat(255)} y`, "x".repeat(255)],
])("%s → %s", (title, slug) => {
  expect(toSlug(title)).toBe(slug);
});

test("every title has a valid slug or none", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 255 }), (title) => {
      expect(toSlug(title)).toMatch(/^([a-z0-9]+(-[a-z0-9]+)*)?$/);
      expect(toSlug(title).length).toBeLessThanOrEqual(256);
    }),
  );
});
