import { expect, test } from "vitest";
import { listSearch, toPageQuery } from "./list-search.ts";
import { amount, anyOf, day, flag, oneOf, parseSearch, stringifySearch, text, texts, whole } from "./search.ts";

test("formatting and parsing a URL preserves the state", () => {
  const search = { title: "a&b=c d", status: ["ACTIVE", "DRAFT"], skip: 25, isInScope: false };
  const read = parseSearch(stringifySearch(search));
  expect(read).toEqual({ title: "a&b=c d", status: ["ACTIVE", "DRAFT"], skip: "25", isInScope: "false" });
  expect(whole(read.skip, 1)).toBe(25);
  expect(flag(read.isInScope)).toBe(false);
});

test("absent values are omitted from the URL", () => {
  expect(stringifySearch({ title: undefined, status: [], skip: null, search: "" })).toBe("");
  expect(parseSearch("?title=&status=")).toEqual({});
});

test.each([
  ["a word that is not allowed", oneOf("NOPE", ["ACTIVE"]), undefined],
  ["allowed words without duplicates", anyOf(["DRAFT", "NOPE", "DRAFT"], ["ACTIVE", "DRAFT"]), ["DRAFT"]],
  ["one word as a list", anyOf("DRAFT", ["ACTIVE", "DRAFT"]), ["DRAFT"]],
  ["a number as text", text(12), "12"],
  ["the first of several texts", text(["a", "b"]), "a"],
  ["a list of equal texts", texts(["a", "a"]), ["a"]],
  ["a number below the bound", whole("0", 1), undefined],
  ["a number above the bound", whole("101", 1, 100), undefined],
  ["a fraction for a whole number", whole("1.5", 1), undefined],
  ["a fraction", amount("1.5"), 1.5],
  ["a number that is not finite", amount("1e999"), undefined],
  ["a date", day("2026-02-28"), "2026-02-28"],
  ["a month without a day", day("2026-02"), undefined],
])("%s", (_, value, expected) => {
  expect(value).toEqual(expected);
});

test("a page has the default limit and only valid orders", () => {
  const search = listSearch({ skip: "50", limit: "1000", orderBy: "title", orderDir: "up" }, ["title"]);
  expect(toPageQuery(search)).toEqual({ skip: 50, limit: 25, orderBy: "title", orderDir: undefined });
});
