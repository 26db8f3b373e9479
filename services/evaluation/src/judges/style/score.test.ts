import fc from "fast-check";
import { expect, test } from "vitest";
import { styleAnswer } from "./answer.ts";
import { styleScore } from "./score.ts";

test.each([
  [[[5]], 5, true],
  [[[3, 4]], 3.5, true],
  [[[3, 4, 3]], 10 / 3, false],
  [[[1, 1, 5]], 7 / 3, false],
  [
    [
      [1, 5],
      [4, 4],
      [5, 1],
    ],
    4,
    true,
  ],
])("sections %j score %d", (votes, score, passed) => {
  expect(styleScore(votes)).toMatchObject({ score: expect.closeTo(score, 12), passed });
});

const grades = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 20 });

test("scores stay in 1 to 5, and the order of sections does not matter", () => {
  fc.assert(
    fc.property(grades, (sections) => {
      const { score } = styleScore([sections]);
      expect(score).toBeGreaterThanOrEqual(1);
      expect(score).toBeLessThanOrEqual(5);
      expect(styleScore([sections.toReversed()]).score).toBeCloseTo(score, 12);
    }),
  );
});

test("a better grade raises the score", () => {
  fc.assert(
    fc.property(grades, fc.nat(19), (sections, index) => {
      const at = index % sections.length;
      fc.pre(sections[at] !== 5);
      const better = sections.with(at, (sections[at] ?? 0) + 1);
      expect(styleScore([better]).score).toBeGreaterThan(styleScore([sections]).score);
    }),
  );
});

const section = (number: number) => ({ section: number, sentence: "s", quotes: ["q"], score: 3 });

test.each([
  [[1, 2, 3], true],
  [[3, 1, 2], true],
  [[1, 2], false],
  [[1, 2, 2], false],
  [[0, 1, 2], false],
  [[1, 2, 3, 4], false],
  [[], false],
])("of a guide with three sections, an answer with %j is valid: %s", (numbers, isValid) => {
  const parsed = styleAnswer(3).parse({ sections: numbers.map(section) });
  expect(parsed?.map((each) => each.section)).toEqual(isValid ? [1, 2, 3] : undefined);
});
