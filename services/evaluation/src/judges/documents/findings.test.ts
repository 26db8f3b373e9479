import { expect, test } from "vitest";
import { getComparison, getCoverage, getMapping } from "./findings.ts";

const need = (covered: boolean, ...passages: number[]) => ({ need: "The fee", passages, covered });

test.each<[string, ReturnType<typeof need>[], number, number[]]>([
  ["all needs", [need(true, 1), need(true, 2, 1)], 1, [0, 1]],
  ["a part of them", [need(true, 1), need(false, 3), need(false), need(false)], 0.25, [0, 2]],
  ["none", [need(false)], 0, []],
  ["no needs", [], 0, []],
  ["a need that no passage says", [need(true), need(true, 4)], 0, []],
  ["passages that were not shown", [need(true, 0, -1, 9, 2)], 1, [1]],
])("coverage of %s", (_, needs, score, matches) => {
  expect(getCoverage({ needs, reasoning: "why" }, 3)).toEqual({ score, matches, reasoning: "why", contradictions: [] });
});

const texts: [string, string] = ["A card costs\n5 euros.", "A card is free."];
const found = (quote1: string, quote2: string) => ({ reason: " The price ", quote1, quote2 });
const statement = (repeated: boolean) => ({ passage: 1 as const, statement: "A card costs 5 euros", repeated });
const compared = (contradictions: ReturnType<typeof found>[], statements = [statement(true), statement(false)]) =>
  getComparison({ statements, contradictions, reasoning: "why" }, texts);

test("overlap is the share of statements that the other passage repeats", () => {
  expect(compared([])).toEqual({ score: 0.5, reasoning: "why", matches: [], contradictions: [] });
  expect(compared([], [])?.score).toBe(0);
});

test("contradictions need a quote in each passage; if none has, the model is called again", () => {
  const right = found("costs 5 euros", "is free");
  expect(
    compared([right, found("is free", "costs 5 euros"), found("costs 6 euros", "is free")])?.contradictions,
  ).toEqual([{ reason: "The price", passageA: "costs\n5 euros", passageB: "is free" }]);
  expect(compared([found("costs 6 euros", "is free")])).toBeUndefined();
  expect(compared([{ ...right, reason: " " }])?.contradictions[0]?.reason).not.toBe("");
  expect(compared(Array.from({ length: 30 }, () => right))?.contradictions).toHaveLength(20);
});

test("a document serves the numbered tasks, each once, and ignores numbers that were not in the question", () => {
  expect(getMapping({ serves: [2, 2, 3, 7, 0], reasoning: "why" }, 3).matches).toEqual([1, 2]);
});
