import { judgedStyleBytesMax } from "@ems/proto/limits";
import { expect, test } from "vitest";
import { judgedSections } from "./judged-sections.ts";

const section = (content: string) => ({ heading: "h", content });

test("a style guide within the limit is judged by as a whole", () => {
  const sections = [section(""), section("x".repeat(judgedStyleBytesMax - 2))];
  expect(judgedSections(sections)).toEqual(sections);
  expect(judgedSections([])).toEqual([]);
});

test("a longer one is cut, without half a character, and says so", () => {
  const [first, second, ...rest] = judgedSections([
    section("a"),
    section("🦆".repeat(judgedStyleBytesMax)),
    section("z"),
  ]);
  expect(first).toEqual(section("a"));
  expect(rest).toEqual([]);
  const [stored = "", note] = second?.content.split("\n") ?? [];
  expect(note).toContain("too long");
  expect(stored).toBe("🦆".repeat(stored.length / 2));
  expect(Buffer.byteLength(stored)).toBeGreaterThan(judgedStyleBytesMax / 2 - 8);
});
