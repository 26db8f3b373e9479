import { expect, test } from "vitest";
import { complete, type FilterField } from "./complete.ts";

const field = (label: string, labels: readonly string[], chosen: readonly string[] = []): FilterField => ({
  label,
  chosen,
  choose: () => undefined,
  options: labels.map((each) => ({ value: each.toUpperCase(), label: each })),
});
const fields = [field("Status", ["Failed", "Completed"], ["COMPLETED"]), field("Topic", ["Failed payments"])];
const texts = (typed: string) => complete(fields, typed).map(({ text }) => text);

test.each([
  ["nothing", "", ["Status: ", "Topic: "]],
  ["a part of a field's name, in any case", "STAT", ["Status: "]],
  ["a part of values", "fail", ["Status: Failed", "Topic: Failed payments"]],
  ["a field's name with a colon", "status:", ["Status: Failed"]],
  ["a field's name with a part of a value", "Topic: pay", ["Topic: Failed payments"]],
  ["a value that is chosen already", "completed", []],
  ["a colon after an unknown field", "what: failed", []],
  ["a text without matches", "none", []],
])("%s", (_, typed, expected) => {
  expect(texts(typed)).toEqual(expected);
});

test("a field without values is not offered, and a long list is limited", () => {
  const values = Array.from({ length: 40 }, (_, index) => `Topic ${index}`);
  expect(complete([field("Tag", [])], "")).toEqual([]);
  expect(complete([field("Topic", values)], "topic:")).toHaveLength(12);
});
