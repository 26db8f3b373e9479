import { expect, test } from "vitest";
import { stillMatching } from "./still-matching.ts";

const rows = ["Opening an account", "Reopening", "Cards"].map((title) => ({ id: title, title }));

test.each([
  ["opening", ["Opening an account", "Reopening"]],
  ["opening an", ["Opening an account"]],
  ["openings", []],
  ["CARD", ["Cards"]],
])("%j keeps %j of an older answer", (text, titles) => {
  expect(stillMatching(rows, text).map(({ title }) => title)).toEqual(titles);
});
