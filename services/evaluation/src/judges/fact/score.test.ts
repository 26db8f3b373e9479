import fc from "fast-check";
import { expect, test } from "vitest";
import { factScore } from "./score.ts";

test.each([
  [
    { tp: 4, fp: 0, fn: 0 },
    { score: 1, precision: 1, recall: 1, passed: true },
  ],
  [
    { tp: 4, fp: 1, fn: 1 },
    { score: 0.8, precision: 0.8, recall: 0.8, passed: true },
  ],
  [
    { tp: 2, fp: 1, fn: 0 },
    { score: 0.8, precision: 2 / 3, recall: 1, passed: true },
  ],
  [
    { tp: 1, fp: 1, fn: 1 },
    { score: 0.5, precision: 0.5, recall: 0.5, passed: false },
  ],
  [
    { tp: 0, fp: 3, fn: 0 },
    { score: 0, precision: 0, recall: undefined, passed: false },
  ],
  [
    { tp: 0, fp: 0, fn: 2 },
    { score: 0, precision: undefined, recall: 0, passed: false },
  ],
  [
    { tp: 0, fp: 0, fn: 0 },
    { score: 0, precision: undefined, recall: undefined, passed: false },
  ],
])("%j", (counts, expected) => {
  expect(factScore(counts)).toEqual(expected);
});

const count = fc.nat(500);

test("the score is the harmonic mean of precision and recall, within 0 and 1, and decreases with each error", () => {
  fc.assert(
    fc.property(count, count, count, (tp, fp, fn) => {
      const { score, precision = 0, recall = 0 } = factScore({ tp, fp, fn });
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      if (precision + recall > 0) expect(score).toBeCloseTo((2 * precision * recall) / (precision + recall), 12);
      expect(factScore({ tp: tp + 1, fp, fn }).score).toBeGreaterThanOrEqual(score);
      expect(factScore({ tp, fp: fp + 1, fn }).score).toBeLessThanOrEqual(score);
      expect(factScore({ tp, fp, fn: fn + 1 }).score).toBeLessThanOrEqual(score);
    }),
  );
});
