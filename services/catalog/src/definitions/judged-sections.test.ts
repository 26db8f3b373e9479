import { expect, test } from "vitest";
import { judgedBytesMax, judgedSections } from "./judged-sections.ts";

const section = (content: string) => ({ heading: "h", content });

test("a style guide within the limit is judged by as a whole", () => {
  const sections = [section(""), section("x".repeat(judgedBytesMax - 2))];
  expect(judgedSections(sections)).toEqual(sections);
  expect(judgedSections([])).toEqual([]);
});

test("a longer one is cut, without half a character, and says so", () => {
  const [first, second, ...rest] = judgedSections([section("a"), section("🦆".repeat(judgedBytesMax)), section("z")]);
  expect(first).toEqual(section("a"));
  expect(rest).toEqual([]);
  const [kept = "", note] = second?.content.split("\n") ?? [];
  expect(note).toContain("too long");
  expect(kept).toBe("🦆".repeat(kept.length / 2));
  expect(Buffer.byteLength(kept)).toBeGreaterThan(judgedBytesMax / 2 - 8);
});
