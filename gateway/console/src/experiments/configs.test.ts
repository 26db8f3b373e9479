import { expect, test } from "vitest";
import { getKind, listChanges, listParameters, readConfig, readValue } from "./configs.ts";

const baseline = { answer: { model: "m", temperature: 1, stop: ["a"] }, search: { limit: 5 } };

test("parameters of all steps are listed; values that are not objects have none", () => {
  expect(listParameters(null)).toEqual([]);
  expect(listParameters({ answer: { model: "m" }, search: null, rank: ["a"] })).toEqual([
    { step: "answer", name: "model", value: "m" },
  ]);
});

test("different parameters come first, including those set on one side only", () => {
  const changes = listChanges(baseline, { answer: { model: "m", temperature: 0, stop: ["a"] }, rank: { top: 3 } });
  expect(changes).toEqual([
    { step: "answer", name: "temperature", before: "1", after: "0", isChanged: true },
    { step: "search", name: "limit", before: "5", after: undefined, isChanged: true },
    { step: "rank", name: "top", before: undefined, after: "3", isChanged: true },
    { step: "answer", name: "model", before: "m", after: "m", isChanged: false },
    { step: "answer", name: "stop", before: '[\n  "a"\n]', after: '[\n  "a"\n]', isChanged: false },
  ]);
  expect(listChanges(baseline, baseline).some(({ isChanged }) => isChanged)).toBe(false);
});

test("parameters with names of built-in members or with separators do not collide", () => {
  const changes = listChanges({ "a.b": { constructor: 1 }, a: { "b.constructor": 2 } }, null);
  expect(changes.map(({ before }) => before)).toEqual(["1", "2"]);
});

test.each([
  ["0.2", "text", { value: "0.2" }],
  ["0.2", "json", { value: 0.2 }],
  ['{"a":[true]}', "json", { value: { a: [true] } }],
  ["null", "json", { value: null }],
  ["hot", "json", undefined],
] as const)("%s as %s is %j", (typed, kind, read) => {
  expect(readValue(typed, kind)).toEqual(read);
});

test("a value keeps the kind of the previous value", () => {
  expect([undefined, "a", 1, null, {}].map(getKind)).toEqual(["text", "text", "json", "json", "json"]);
});

test.each(["", "[]", "1", "null", "{"])("%j is not a configuration", (typed) => {
  expect(readConfig(typed)).toBeUndefined();
});
