import { expect, test } from "vitest";
import { toLinkConfig, toTexts } from "./link-expectation.ts";

test.each([
  ["a list without its empty items", ["a", "", "b"], true, { expected: ["a", "b"] }],
  ["one text", ["a\n\nb"], false, { expected: "a\n\nb" }],
  ["a stored list as one text", ["a", "b"], false, { expected: "a\nb" }],
  ["an empty list", ["", ""], true, {}],
  ["an empty text", [""], false, {}],
])("the form sends %s", (_, texts, isList, config) => expect(toLinkConfig(texts, isList)).toEqual(config));

test.each([
  [undefined, []],
  ["a", ["a"]],
  [
    [1, "b"],
    ["1", "b"],
  ],
])("the form opens with the stored expectation %j", (expected, texts) => expect(toTexts(expected)).toEqual(texts));
