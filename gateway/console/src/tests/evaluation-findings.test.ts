import { expect, test } from "vitest";
import { readFindings } from "./evaluation-findings.ts";

test("a criterion has its rationale and quotes", () => {
  const results = {
    name: "No promises",
    score: 0,
    metadata: { rationale: "It promises a rate.", choice: "N" },
    details: { evidence: ["We guarantee 5 %"] },
  };
  expect(readFindings(results)).toEqual({
    reasoning: "It promises a rate.",
    quotes: [{ quote: "We guarantee 5 %" }],
    grades: [],
    lists: [],
  });
});

test("claims of a fact check have their supporting quotes", () => {
  const { lists, quotes, grades } = readFindings({
    score: 0.5,
    precision: 0.5,
    classification: { TP: ["opens at 9"], FP: ["closes at 5"], FN: [] },
    details: { evidence: [{ claim: "opens at 9", quote: "from nine" }] },
  });
  expect(lists.map(({ title }) => title)).toEqual(["As expected", "Not expected"]);
  expect(quotes).toEqual([{ claim: "opens at 9", quote: "from nine" }]);
  expect(grades).toEqual([{ name: "Precision", score: 0.5 }]);
});

test("part scores of a recall, and unsupported statements", () => {
  const { grades, lists } = readFindings({
    Faithfulness: {
      score: 0.5,
      metadata: {
        faithfulness: [
          { statement: "free", reason: "no source", verdict: 0 },
          { statement: "b", verdict: 1 },
        ],
      },
    },
  });
  expect(grades).toEqual([{ name: "Faithfulness", score: 0.5 }]);
  expect(lists).toEqual([{ title: "Unsupported", items: ["free — no source"] }]);
});

test.each([null, undefined, {}, { details: "no object", classification: 5, missing: [null] }])(
  "%j has no findings",
  (results) => {
    expect(readFindings(results)).toMatchObject({ reasoning: "", quotes: [], grades: [] });
  },
);
