import { expect, test } from "vitest";
import { listItems } from "./list-items.ts";

const options = { expected: ["a", "b"], exact: false, splitsCommas: true };

test.each([
  ["a\nb\n", ["a", "b"]],
  ["  a  \r\n\r\n\tb\rc", ["a", "b", "c"]],
  ['["a", " b ", 1, null, {"c": [2]}, "", true]', ["a", " b ", "1", "null", '{"c":[2]}', "true"]],
  ['[9054686819491029395, {"id": 1.0000000000000000001}]', ["9054686819491029395", '{"id":1.0000000000000000001}']],
  [' \n["a"]\n', ["a"]],
  ['\ufeff["a","b"]', ["a", "b"]],
  ['```json\n["a", "b"]\n```', ["a", "b"]],
  ['Here they are:\r\n\r\n```json\r\n["a", "b"]\r\n```\r\nAnything else?', ["a", "b"]],
  ["```\na\nb\n```", ["a", "b"]],
  ["- a\n- b", ["a", "b"]],
  ["* a\n• b\n– c\n+ d", ["a", "b", "c", "d"]],
  ["1. a\n2. b\n10) c\n(11) d", ["a", "b", "c", "d"]],
  ["- [ ] a\n- [x] b", ["a", "b"]],
  ["a, b", ["a", " b"]],
  ["- a, b", ["a", " b"]],
  ["a、b", ["a", "b"]],
  ["a, b\nc", ["a, b", "c"]],
  ["-5\n3.5\n1.", ["-5", "3.5", "1."]],
  ["[]", []],
  ['["a"', ['["a"']],
  ['{"a": 1}', ['{"a": 1}']],
  ["", []],
])("%j has the items %j", (text, items) => {
  expect(listItems(text, options)).toEqual(items);
});

test.each([
  ["Paris, France\n", ["Paris, France", "Rome"], ["Paris, France"]],
  ["Paris, France", ["Rome, Italy"], ["Paris, France"]],
  ["1. FC Union\n2. Hertha", ["1. FC Union", "Hertha"], ["1. FC Union", "Hertha"]],
  ["- 5", ["- 5"], ["- 5"]],
  ["11. Jahrhundert, 1920", ["11. Jahrhundert", "1920"], ["11. Jahrhundert", " 1920"]],
  ["3. Oktober 1990 war ein Mittwoch.", ["3. Oktober 1990"], ["3. Oktober 1990 war ein Mittwoch."]],
])("of %j, with %j expected, the items are %j", (text, expected, items) => {
  expect(listItems(text, { ...options, expected })).toEqual(items);
});

test("an exact list has items as they were written; with containment, one line is one item", () => {
  expect(listItems("- a \n\u00a0b, c", { ...options, exact: true })).toEqual(["- a ", "\u00a0b, c"]);
  expect(listItems("Paris, Rome", { ...options, splitsCommas: false })).toEqual(["Paris, Rome"]);
});
