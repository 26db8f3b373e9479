import fc from "fast-check";
import { expect, test } from "vitest";
import { aspects, type Grades, naturalnessScore } from "./score.ts";

const grades = (
  ...[coherence = 0, engagingness = 0, naturalness = 0, relevance = 0, clarity = 0]: number[]
): Grades => ({
  coherence,
  engagingness,
  naturalness,
  relevance,
  clarity,
});

test.each([
  [[grades(5, 5, 5, 5, 5)], 5, true],
  [[grades(1, 1, 1, 1, 1)], 1, false],
  [[grades(4, 4, 4, 4, 4)], 4, true],
  // The mean reaches the threshold, but one aspect does not.
  [[grades(3, 5, 5, 5, 5)], 4.6, false],
  [[grades(4, 4, 4, 4, 3)], 3.8, false],
  // The medians are 4, 4, 5, 4, 4.
  [[grades(4, 4, 5, 4, 1), grades(5, 3, 5, 4, 4), grades(1, 5, 1, 4, 5)], 4.2, true],
])("%j scores %d", (votes, score, passed) => {
  expect(naturalnessScore(votes)).toMatchObject({ score: expect.closeTo(score, 12), passed });
});

const grade = fc.integer({ min: 1, max: 5 });
const vote = fc.tuple(grade, grade, grade, grade, grade).map((each) => grades(...each));
const votes = fc
  .array(vote, { minLength: 1, maxLength: 9 })
  .map((each) => (each.length % 2 === 0 ? each.slice(1) : each));

test("scores stay in 1 to 5, and the order of votes does not matter", () => {
  fc.assert(
    fc.property(votes, (all) => {
      const result = naturalnessScore(all);
      expect(result.score).toBeGreaterThanOrEqual(1);
      expect(result.score).toBeLessThanOrEqual(5);
      expect(naturalnessScore(all.toReversed())).toEqual(result);
    }),
  );
});

test("a better grade never lowers the score", () => {
  fc.assert(
    fc.property(votes, fc.nat(8), fc.constantFrom(...aspects), (all, at, aspect) => {
      const better = all.map((each, index) =>
        index === at % all.length ? { ...each, [aspect]: Math.min(5, each[aspect] + 1) } : each,
      );
      const [before, after] = [naturalnessScore(all), naturalnessScore(better)];
      expect(after.score).toBeGreaterThanOrEqual(before.score);
      expect(Number(after.passed)).toBeGreaterThanOrEqual(Number(before.passed));
    }),
  );
});
