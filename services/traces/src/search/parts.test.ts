import { expect, test } from "vitest";
import { type Part, partsToWrite, type StoredPart } from "./parts.ts";

const limits = { partWordsMax: 3, traceWordsMax: 8 };
const split = -1;
const write = (stored: StoredPart[], words: number[]) => partsToWrite(stored, words, { split, limits });
const part = (number: number, words: number[]): Part => ({ number, words });
const asStored = (parts: Part[]): StoredPart[] =>
  parts.map((part, index) => ({
    ...part,
    size: part.words.length,
    words: index === parts.length - 1 ? part.words : null,
  }));

test.each([
  ["a new trace", [], [1, 2, 2], [part(0, [1, 2])]],
  ["nothing", [], [], []],
  ["words that are stored", [part(0, [1, 2])], [2, 1], []],
  ["a part with room", [part(0, [1, 2])], [2, 3], [part(0, [1, 2, 3])]],
  ["a part that overflows", [part(0, [1, 2])], [3, 4], [part(0, [1, 2, 3, split]), part(1, [4, split])]],
  ["a full part", [part(0, [1, 2, 3])], [4], [part(0, [1, 2, 3, split]), part(1, [4, split])]],
  ["a long trace at once", [], [1, 2, 3, 4], [part(0, [1, 2, 3, split]), part(1, [4, split])]],
  ["a second part with room", [part(0, [1, 2, 3, split]), part(1, [4, split])], [5], [part(1, [4, 5, split])]],
  ["a second part that is full", [part(0, [1, 2, 3, split]), part(1, [4, 5, 6, split])], [], []],
])("%s", (_, stored, words, written) => {
  expect(write(asStored(stored), words)).toEqual(written);
});

test("the words of a trace are limited", () => {
  const written = write([], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(written.flatMap(({ words }) => words.filter((word) => word !== split))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(write(asStored(written), [11])).toEqual([]);
});
