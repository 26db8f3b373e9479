import fc from "fast-check";
import { expect, test } from "vitest";
import { type Findings, recallScore, recallScores } from "./score.ts";

const truths = (bits: string) => [...bits].map((bit) => bit === "1");
const findings = (contextStatements: string, passages: string, claims: string, answerStatements: string): Findings => ({
  contextStatements: truths(contextStatements),
  passages: truths(passages),
  claims: truths(claims),
  answerStatements: truths(answerStatements),
});

test.each([
  [findings("1", "1", "1", "1"), [1, 1, 1, 1], 1, true],
  [findings("0", "0", "0", "0"), [0, 0, 0, 0], 0, false],
  [findings("1100", "101", "1110", "10"), [0.5, (1 + 2 / 3) / 2, 0.75, 0.5], (0.5 + 5 / 6 + 0.75 + 0.5) / 4, true],
  // The only relevant passage is the third one.
  [findings("1", "001", "1", "1"), [1, 1 / 3, 1, 1], 10 / 12, true],
  // Nothing was retrieved, and the answer admits that it does not know.
  [findings("", "", "", "1"), [0, 0, 1, 1], 0.5, true],
  [findings("", "", "", ""), [0, 0, 1, 0], 0.25, false],
])("%j", (found, [relevancy, precision, faithfulness, answer], score, passed) => {
  const scores = recallScores(found);
  expect(scores).toEqual({
    contextRelevancy: relevancy,
    contextPrecision: precision,
    faithfulness,
    answerRelevancy: answer,
  });
  expect(recallScore(scores)).toEqual({ score: expect.closeTo(score, 12), passed });
});

const bits = fc.array(fc.boolean(), { maxLength: 30 });
const any: fc.Arbitrary<Findings> = fc.record({
  contextStatements: bits,
  passages: bits,
  claims: bits,
  answerStatements: bits,
});

test("all parts stay in 0 to 1, and the order of statements or claims does not matter", () => {
  fc.assert(
    fc.property(any, (found) => {
      const scores = recallScores(found);
      for (const part of Object.values(scores)) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }
      const { contextStatements, claims, answerStatements } = found;
      const turned = {
        passages: found.passages,
        contextStatements: contextStatements.toReversed(),
        claims: claims.toReversed(),
        answerStatements: answerStatements.toReversed(),
      };
      expect(recallScores(turned)).toEqual(scores);
    }),
  );
});

test("a claim that becomes supported, and a relevant passage that moves up, never lower the score", () => {
  fc.assert(
    fc.property(any, fc.nat(29), (found, index) => {
      const at = index % Math.max(found.claims.length, 1);
      const better = found.claims.map((isSupported, each) => isSupported || each === at);
      expect(recallScores({ ...found, claims: better }).faithfulness).toBeGreaterThanOrEqual(
        recallScores(found).faithfulness,
      );
      const { passages } = found;
      const place = passages.findIndex((isRelevant, each) => isRelevant && passages[each - 1] === false);
      fc.pre(place > 0);
      const up = passages.with(place - 1, true).with(place, false);
      expect(recallScores({ ...found, passages: up }).contextPrecision).toBeGreaterThan(
        recallScores(found).contextPrecision,
      );
    }),
  );
});
