import { expect, test } from "vitest";
import type { Evaluation } from "../tests/test-requests.ts";
import {
  findUnjudged,
  isSaved,
  listCriteria,
  newRow,
  type PassRow,
  restorePass,
  toAnnotations,
  withScore,
  withVerdict,
} from "./pass.ts";

const scale = { low: 1, high: 5, threshold: 3.5 };
const polite = { definitionId: "polite", name: "Polite", text: "Thanks the customer", scale: null };
const style = { definitionId: "style", name: "House style", text: "Follows the guide", scale };
const whole = { definitionId: null, name: "Whole answer", text: null, scale: null };
const row = (criterion: PassRow["criterion"], verdict: boolean | null = null, score: number | null = null) => ({
  criterion,
  verdict,
  score,
});
const pass = { passId: "pass", critique: "It names a fee of last year.", item: { id: "item", traceId: "trace" } };

type Definition = NonNullable<Evaluation["definition"]>;
const definition = (
  id: string,
  name: string,
  type: Definition["type"],
  globalConfig: Definition["globalConfig"] = null,
  scale: Definition["scale"] = null,
) => ({ definition: { id, name, type, globalConfig, scale } as Definition }) as const;

test("the queue's own evaluator comes first, then each evaluator of the trace once, then the whole answer", () => {
  const evaluations = [
    definition("style", "House style", "STYLE"),
    definition("polite", "Polite", "CUSTOM", { criterion: "Thanks the customer" }),
    definition("style", "House style", "STYLE"),
    definition("fact", "Facts", "FACT", { groundTruth: "A card is free." }, { low: 0, high: 1, threshold: 0.8 }),
    { definition: null },
  ];
  const own = { definitionId: "polite", criterion: null };
  const criteria = listCriteria(own, evaluations);
  expect(criteria.map(({ name }) => name)).toEqual(["Deleted evaluator", "Facts", "House style", "Whole answer"]);
  expect(criteria[1]).toMatchObject({ text: "A card is free.", scale: { threshold: 0.8 } });
  const ofAnswer = listCriteria({ definitionId: null, criterion: null }, evaluations);
  expect(ofAnswer.map(({ name }) => name)).toEqual(["Whole answer", "Facts", "House style", "Polite"]);
  expect(listCriteria(own, [])).toHaveLength(1);
});

test("a score decides the verdict, and a verdict clears a score that contradicts it", () => {
  expect(withScore(newRow(style), 3.5)).toMatchObject({ verdict: true, score: 3.5 });
  expect(withScore(newRow(style), 3.4)).toMatchObject({ verdict: false, score: 3.4 });
  expect(withScore(row(style, true, 4), null)).toMatchObject({ verdict: true, score: null });
  expect(withVerdict(row(style, true, 4), false)).toMatchObject({ verdict: false, score: null });
  expect(withVerdict(row(style, true, 4), true)).toMatchObject({ verdict: true, score: 4 });
});

test.each([
  [[null, null], 0, 0],
  [[true, null, null], 1, 1],
  [[null, true, true], 2, 0],
  [[true, false], 0, -1],
] as const)("of the verdicts %j, the next without one from %i on is %i", (verdicts, from, found) =>
  expect(
    findUnjudged(
      verdicts.map((verdict) => row(polite, verdict)),
      from,
    ),
  ).toBe(found),
);

test("all verdicts are sent in order with one explanation, and the last completes the queue item", () => {
  const sent = toAnnotations([row(polite, false), row(style, true, 4), row(whole, true)], new Map(), pass);
  expect(
    sent.map(({ definitionId, verdict, score, passComplete }) => [definitionId, verdict, score, passComplete]),
  ).toEqual([
    ["polite", false, null, false],
    ["style", true, 4, false],
    [null, true, null, true],
  ]);
  for (const each of sent)
    expect(each).toMatchObject({ traceId: "trace", queueItemId: "item", passId: "pass", critique: pass.critique });
});

test("a retry sends only what is not stored, and what has changed since", () => {
  const rows = [row(polite, true), row(style, true, 4), row(whole, true)];
  const saved = new Map([
    ["polite", { verdict: true, score: null }],
    ["style", { verdict: true, score: 5 }],
  ]);
  expect(rows.map((each) => isSaved(each, saved))).toEqual([true, false, false]);
  const sent = toAnnotations(rows, saved, pass);
  expect(sent.map(({ definitionId, passComplete }) => [definitionId, passComplete])).toEqual([
    ["style", false],
    [null, true],
  ]);
  const done = toAnnotations([row(polite, true)], saved, pass);
  expect(done).toMatchObject([{ definitionId: "polite", passComplete: true }]);
});

test("an unfinished pass is restored from the person's newest annotations", () => {
  const stored = {
    annotatorId: "ann",
    passId: "new",
    definitionId: "style",
    verdict: true,
    score: 4,
    critique: "Good",
  };
  const annotations = [
    { ...stored, annotatorId: "bob", passId: "other" },
    stored,
    { ...stored, passId: "old", definitionId: null },
  ];
  const restored = restorePass(annotations, "ann", [polite, style, whole]);
  expect(restored).toMatchObject({ passId: "new", critique: "Good" });
  expect(restored?.rows).toEqual([row(polite), row(style, true, 4)]);
  expect(restorePass(annotations, "eve", [polite])).toBeUndefined();
  expect(restorePass([{ ...stored, passId: null }], "ann", [polite])).toBeUndefined();
});
