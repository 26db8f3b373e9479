import { expect, test } from "vitest";
import type { Evaluation } from "../tests/test-requests.ts";
import { listJudgments } from "./judged-rows.ts";

const annotation = {
  id: "1",
  annotatorId: "ann",
  annotator: null,
  definitionId: "polite" as string | null,
  passId: null as string | null,
  verdict: true,
  score: null,
  critique: null,
};
const evaluation = (id: string, name: string, passed: boolean) => ({
  id: `of ${id}`,
  definition: { id, name, type: "CUSTOM", globalConfig: null } as NonNullable<Evaluation["definition"]>,
  passed,
  score: 1,
  message: null,
});
const evaluations = [evaluation("polite", "Polite", true), evaluation("style", "House style", true)];
const polite = { definitionId: "polite", criterion: null };
const whole = { definitionId: null, criterion: null };

test("a review by one evaluator is compared with its judge only", () => {
  const other = { ...annotation, id: "2", definitionId: "style", passId: "unrelated" };
  const judged = listJudgments(polite, [annotation, other], evaluations);
  expect(judged).toMatchObject({ hasSeveral: false, compared: 1, agreed: 1 });
  expect(judged.rows.map(({ who }) => who)).toEqual(["ann", "Polite"]);
});

test("a review of the whole answer shows all judges and is compared with none", () => {
  const judged = listJudgments(whole, [{ ...annotation, definitionId: null }], evaluations);
  expect(judged).toMatchObject({ hasSeveral: false, compared: 0 });
  expect(judged.rows.map(({ who }) => who)).toEqual(["ann", "Polite", "House style"]);
});

test("a pass shows each of its evaluators, and each verdict is compared with its own judge", () => {
  const pass = [
    { ...annotation, passId: "pass" },
    { ...annotation, id: "2", definitionId: "style", passId: "pass", verdict: false },
    { ...annotation, id: "3", definitionId: null, passId: "pass" },
  ];
  const judged = listJudgments(polite, pass, evaluations);
  expect(judged).toMatchObject({ hasSeveral: true, compared: 2, agreed: 1 });
  expect(judged.rows.map(({ evaluator, who, passed }) => [evaluator, who, passed])).toEqual([
    ["Deleted evaluator", "ann", true],
    ["House style", "ann", false],
    ["House style", "Judge", true],
    ["Polite", "Judge", true],
    ["Whole answer", "ann", true],
  ]);
});
