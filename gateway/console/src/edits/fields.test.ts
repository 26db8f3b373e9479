import { expect, test } from "vitest";
import { chosenFrom, fieldFor, findDifferences, isClash } from "./fields.ts";

interface Draft {
  readonly title: string;
  readonly topicId: string | null;
  readonly isActive: boolean;
}

const topics = [
  { value: "a", label: "Cards" },
  { value: "b", label: "Cards" },
];
const field = fieldFor<Draft>();
const fields = [field("title", "Title"), field("topicId", "Topic", chosenFrom(topics)), field("isActive", "Active")];
const base: Draft = { title: "one", topicId: "a", isActive: true };

test.each([
  ["nothing changed", {}, {}, false],
  ["only I changed it", { title: "mine" }, {}, false],
  ["only they changed it", {}, { title: "theirs" }, true],
  ["both changed it", { title: "mine" }, { title: "theirs" }, true],
  ["both made the same change", { title: "same" }, { title: "same" }, false],
  ["each changed another field", { title: "mine" }, { isActive: false }, true],
  ["they chose another topic with the same name", {}, { topicId: "b" }, true],
])("%s: a clash is %4$s", (_, mine, theirs, expected) => {
  expect(isClash(fields, base, { ...base, ...mine }, { ...base, ...theirs })).toBe(expected);
});

test("differences have readable texts and the person who changed them", () => {
  const mine = { title: "mine", topicId: null, isActive: true };
  const theirs = { title: "theirs", topicId: "a", isActive: false };
  expect(findDifferences(fields, base, mine, theirs)).toEqual([
    { label: "Title", mine: "mine", theirs: "theirs", changedBy: "both" },
    { label: "Topic", mine: "", theirs: "Cards", changedBy: "you" },
    { label: "Active", mine: "Yes", theirs: "No", changedBy: "others" },
  ]);
});

test("a value without a label is its own label", () => {
  expect(chosenFrom(topics)(["a", "unknown"])).toBe("Cards\nunknown");
});
