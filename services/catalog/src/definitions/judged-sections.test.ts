import { judgedStyleBytesMax } from "@ems/proto/limits";
import { expect, test } from "vitest";
import { judgedSections } from "./judged-sections.ts";

const section = (content: string) => ({ heading: "h", content });

test("a style guide within the limit is used completely", () => {
  const sections = [section(""), section("x".repeat(judgedStyleBytesMax - 2))];
  expect(judgedSections(sections)).toEqual(sections);
  expect(judgedSections([])).toEqual([]);
});

test("a longer style guide is truncated between characters, with a note", () => {
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
