import { expect, test } from "vitest";
import { SimilarTexts } from "./similar.ts";

const buildTexts = (...texts: string[]) => {
  const similar = new SimilarTexts();
  for (const text of texts) similar.add(text);
  return similar;
};

test("the nearest texts share the most and the rarest words; texts without a shared word come last, in order", () => {
  const similar = buildTexts(
    "loans and rates",
    "opening hours of branches",
    "rates of savings",
    "cards",
    "opening of accounts",
  );
  expect(similar.nearest("When are the branches' opening hours?", 5)).toEqual([1, 4, 0, 2, 3]);
  expect(similar.nearest("OPENING HOURS", 1)).toEqual([1]);
  expect(similar.nearest("nothing of it", 2)).toEqual([0, 1]);
  expect(buildTexts().nearest("opening", 3)).toEqual([]);
});

test("pairs have texts of different groups that share a word; the most similar come first, each pair once", async () => {
  const texts = ["fees for cards abroad", "fees for cards abroad", "fees for loans", "opening hours", ""];
  const groups = ["a", "b", "b", "c", "d"];
  const { best, total } = await buildTexts(...texts).pairs((index) => groups[index] ?? "");
  expect(best.map(({ a, b }) => [a, b])).toEqual([
    [0, 1],
    [0, 2],
  ]);
  expect(best[0]?.score).toBeCloseTo(1, 9);
  expect(total).toBe(2);
});

test("words that occur in very many texts make no pairs", async () => {
  const { total } = await buildTexts(...Array.from({ length: 65 }, () => "welcome")).pairs(String);
  expect(total).toBe(0);
  const few = await buildTexts(...Array.from({ length: 64 }, () => "welcome")).pairs(String);
  expect(few.total).toBe((64 * 63) / 2);
  // At most ten pairs per text are stored.
  expect(few.best.length).toBeLessThanOrEqual(640);
});
