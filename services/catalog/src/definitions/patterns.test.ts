import { create, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { GlobalConfigSchema } from "@ems/proto/catalog/v1/eval_definition";
import { expect, test } from "vitest";
import { patternFault } from "./patterns.ts";

const findFault = (pattern: string, flags = "", group: JsonValue = 0) =>
  patternFault(
    create(GlobalConfigSchema, { type: "string", extract: { pattern, flags, group: fromJson(ValueSchema, group) } }),
  )?.path[0];

test.each([
  ["a", "", 0],
  ["(?i)answer: (\\d+)", "gms", 1],
  ["(?P<year>\\d{4})-(?<month>\\d\\d)", "u", [1, 2]],
  ["\\p{Greek}+", "gimsu", 0],
  ["\\w+\\b", "i", 0],
  ["\\d\\s[[:alpha:]]\\\\w\\Q\\w\\E", "iu", 0],
])("%s with the flags %s and the group %j runs", (pattern, flags, group) => {
  expect(findFault(pattern, flags, group)).toBeUndefined();
});

test.each([
  ["(?=a)", "", 0, "pattern"],
  ["(?!a)", "", 0, "pattern"],
  ["(?<=a)b", "", 0, "pattern"],
  ["(?<!a)b", "", 0, "pattern"],
  ["(a)\\1", "", 1, "pattern"],
  ["(", "", 0, "pattern"],
  ["a{1001}", "", 0, "pattern"],
  ["Antwort:\\s*(\\w+)", "iu", 1, "pattern"],
  ["[\\W\\d]", "u", 0, "pattern"],
  ["\\bQ", "u", 0, "pattern"],
  ["(a)", "gg", 0, "flags"],
  ["(a)", "", 2, "group"],
  ["(a)", "", [0, 1, 2], "group"],
])("%s with the flags %s and the group %j is refused by its %s", (pattern, flags, group, field) => {
  expect(findFault(pattern, flags, group)).toBe(field);
});

test("settings without a pattern are valid", () => {
  expect(patternFault(undefined)).toBeUndefined();
  expect(patternFault(create(GlobalConfigSchema, { type: "string" }))).toBeUndefined();
});

test("the error of a class that is ASCII says so, and what to write", () => {
  const extract = { pattern: "(\\w+)", flags: "u", group: fromJson(ValueSchema, 1) };
  const fault = patternFault(create(GlobalConfigSchema, { type: "string", extract }));
  expect(fault?.message).toMatch(/^\\w is ASCII, .* write \[\\p\{L\}/);
});
