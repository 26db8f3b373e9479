import { expect, test } from "vitest";
import { addSums, measures, noSums, type Sums } from "./metrics.ts";
import golden from "./wilson.golden.json" with { type: "json" };

const tests = (testsPassed: number, total: number): Sums => ({ ...noSums, tests: total, testsPassed });
const unit = 4_000_000;
/** Returns the sums of passed tests with these scores. */
const scored = (...scores: number[]): Sums => {
  const units = scores.map((score) => BigInt(Math.round(score * unit)));
  return {
    ...tests(1_000, 1_000),
    scores: scores.length,
    scoreSum: units.reduce((sum, score) => sum + score, 0n),
    scoreSquares: units.reduce((sum, score) => sum + score * score, 0n),
  };
};

// Expected values are from statsmodels 0.15: proportion_confint(…, method="wilson").
test.each(golden.rows as [number, number, number, number][])(
  "the interval of %d passed of %d",
  (passed, total, low, high) => {
    const { interval, halfWidth } = measures(tests(passed, total)).confidence;
    expect(interval.lower / 100).toBeCloseTo(low, 9);
    expect(interval.upper / 100).toBeCloseTo(high, 9);
    expect(halfWidth / 50).toBeCloseTo(high - low, 9);
  },
);

test.each([
  [0, 0, "LOW", 381],
  [0, 1, "LOW", 34],
  [1, 1, "LOW", 34],
  [5, 10, "LOW", 371],
  [20, 20, "MEDIUM", 15],
  [35, 35, "HIGH", 0],
  [34, 34, "MEDIUM", 1],
  [190, 380, "MEDIUM", 1],
  [191, 382, "HIGH", 0],
  [380, 380, "HIGH", 0],
])("the confidence of %d passed of %d is %s, and %d more tests make it HIGH", (passed, total, level, more) => {
  const { confidence, recommendedAdditionalEvaluations } = measures(tests(passed, total));
  expect([confidence.level, recommendedAdditionalEvaluations]).toEqual([level, more]);
  const enough = measures(tests(total === 0 ? 190.5 : (passed / total) * (total + more), total + more));
  expect(enough.confidence.level).toBe("HIGH");
});

test.each([
  [[], "LOW", null],
  [[0.5], "LOW", null],
  [[0.8, 0.8, 0.8], "HIGH", 0],
  [[0.1, 0.3], "MEDIUM", Math.SQRT2 / 10],
  [[0, 0.1, 0.2], "HIGH", 0.1],
  [[0, 0.25, 0.5], "MEDIUM", 0.25],
  [[0, 0.250001, 0.500002], "LOW", 0.250001],
  [[0, 1], "LOW", Math.SQRT1_2],
])("the stability of %j is %s", (scores, level, stddev) => {
  const { stability } = measures(scored(...scores));
  expect(stability.level).toBe(level);
  if (stddev === null) expect(stability.stddev).toBeNull();
  else expect(stability.stddev).toBeCloseTo(stddev, 12);
});

test("the health score combines pass rate, confidence and stability, and is null if the confidence is LOW", () => {
  expect(measures(scored(1, 1)).healthScore).toBe(100);
  expect(measures(tests(1_000, 1_000)).healthScore).toBe(80);
  expect(measures(tests(20, 20)).healthScore).toBe(70);
  expect(measures(tests(0, 1_000)).healthScore).toBe(20);
  expect(measures(tests(5, 10)).healthScore).toBeNull();
  expect(measures(noSums)).toMatchObject({ healthScore: null, passRate: null, tests: 0 });
});

test("combined sums are measured as one", () => {
  expect(measures(addSums(scored(0, 1), scored(1, 0)))).toMatchObject({
    tests: 2_000,
    testsPassed: 2_000,
    passRate: 100,
  });
  expect(measures(addSums(tests(1, 2), tests(0, 2)))).toMatchObject({ tests: 4, passRate: 25 });
});
