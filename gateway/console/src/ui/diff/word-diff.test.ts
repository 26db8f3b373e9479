import { expect, test } from "vitest";
import { compareTexts } from "./word-diff.ts";

test("changed words are marked within unchanged text", () => {
  const { parts, isByLine } = compareTexts("An account costs nothing.", "An account costs two euros.") ?? {};
  expect(isByLine).toBe(false);
  expect(
    parts
      ?.filter(({ added }) => added)
      .map(({ value }) => value)
      .join(""),
  ).toContain("two euros");
  expect(
    parts
      ?.filter(({ removed }) => removed)
      .map(({ value }) => value)
      .join(""),
  ).toContain("nothing");
  expect(
    parts
      ?.filter(({ added }) => !added)
      .map(({ value }) => value)
      .join(""),
  ).toBe("An account costs nothing.");
});

test("equal texts have no difference", () => {
  expect(compareTexts("a b\n", "a b\n")?.parts.some(({ added, removed }) => added || removed)).toBe(false);
});

test("long texts are compared by line", () => {
  const line = "An account costs nothing for the first two years.\n";
  const { parts, isByLine } = compareTexts(line.repeat(10_000), `${line.repeat(9_999)}Changed.\n`) ?? {};
  expect(isByLine).toBe(true);
  expect(parts?.filter(({ added }) => added).map(({ value }) => value)).toEqual(["Changed.\n"]);
});

test("texts without common lines are given up in time", () => {
  const text = (word: string) => Array.from({ length: 60_000 }, (_, at) => `${word}${at}`).join(" \n");
  const difference = compareTexts(text("a"), text("b"));
  expect(difference === undefined || difference.isByLine).toBe(true);
});
