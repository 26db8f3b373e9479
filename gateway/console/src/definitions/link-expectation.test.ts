import { expect, test } from "vitest";
import { type ExpectedKind, toLinkConfig, toTexts } from "./link-expectation.ts";

test.each<[string, string[], ExpectedKind, object]>([
  ["a list without its empty items", ["a", "", "b"], "items", { expected: ["a", "b"] }],
  ["one text", ["a\n\nb"], "text", { expected: "a\n\nb" }],
  ["a stored list as one text", ["a", "b"], "text", { expected: "a\nb" }],
  ["an empty list", ["", ""], "items", {}],
  ["an empty text", [""], "text", {}],
  ["any of several texts", ["a", "", "b"], "any", { expected: ["a", "b"] }],
  ["the only text", ["a"], "any", { expected: "a" }],
])("the form sends %s", (_, texts, kind, config) => expect(toLinkConfig(texts, kind)).toEqual(config));

test.each([
  [undefined, []],
  ["a", ["a"]],
  [
    [1, "b"],
    ["1", "b"],
  ],
])("the form opens with the stored expectation %j", (expected, texts) => expect(toTexts(expected)).toEqual(texts));
