import { describe, expect, test } from "vitest";
import golden from "./golden-scores.json" with { type: "json" };
import { correlation, type ScorePair, weightedKappa } from "./score-agreement.ts";

/** Safe cast: JSON has no type for pairs. */
const scores = golden.scores.map(({ pairs, ...expected }) => ({ ...expected, pairs: pairs as unknown as ScorePair[] }));

describe(`values equal those of ${golden.source}`, () => {
  test.each(scores)("kappa with quadratic weights: $kappa.value", ({ pairs, kappa }) => {
    const { value, low, high } = weightedKappa(pairs) ?? expect.fail("no kappa");
    for (const [actual, expected] of [
      [value, kappa.value],
      [low, kappa.low],
      [high, kappa.high],
    ] as const)
      expect(Math.abs(actual - expected)).toBeLessThan(1e-9);
  });

  test.each(scores)("correlation: $correlation.value", ({ pairs, correlation: expected }) => {
    const { value, low, high } = correlation(pairs) ?? expect.fail("no correlation");
    expect(Math.abs(value - expected.value)).toBeLessThan(1e-9);
    expect(Math.abs(low - expected.low)).toBeLessThan(1e-6);
    expect(Math.abs(high - expected.high)).toBeLessThan(1e-6);
  });
});

test("scores that are all the same measure nothing; one constant rater has kappa 0 and no correlation", () => {
  const constant: ScorePair[] = [3, 3, 3, 3, 3].map((score) => [score, score]);
  expect([weightedKappa(constant), correlation(constant), weightedKappa([]), correlation([])]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  const oneConstant: ScorePair[] = [1, 2, 3, 4, 5].map((score) => [score, 3]);
  expect(weightedKappa(oneConstant)?.value).toBeCloseTo(0, 12);
  expect(correlation(oneConstant)).toBeUndefined();
});
