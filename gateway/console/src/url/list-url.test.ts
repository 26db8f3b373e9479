import { expect, test } from "vitest";
import { clearFilters, days, listUrl, parseMany, stores } from "./list-url.ts";
import { flag, text } from "./search.ts";

const url = listUrl(["title"], { ...days, title: text, status: parseMany(["DRAFT", "ACTIVE"]), isInScope: flag });

test("known URL parameters are parsed, and others are ignored", () => {
  const raw = { title: "Cards", status: ["ACTIVE", "nonsense"], isInScope: "false", orderBy: "status", other: "1" };
  expect(url.parse({ ...raw, skip: "25" })).toEqual({
    title: "Cards",
    status: ["ACTIVE"],
    isInScope: false,
    skip: 25,
  });
});

test("the query has the API's parameters: page, instants for days, and filters, without columns", () => {
  const { startDate, endDate, ...query } = url.query({
    from: "2026-11-01",
    to: "2026-11-02",
    title: "Cards",
    columns: ["title"],
  });
  expect(query).toEqual({ limit: 25, title: "Cards" });
  expect(Date.parse(endDate ?? "") - Date.parse(startDate ?? "")).toBe(2 * 86_400_000 - 1);
});

test("a reset removes all filters, goes to the first page, and keeps order and columns", () => {
  const search = { ...url.parse({ title: "Cards", orderBy: "title", columns: ["title"] }), skip: 25 };
  expect({ ...search, ...clearFilters(url, search) }).toEqual({ orderBy: "title", columns: ["title"] });
});

test("order, page and columns alone cannot be reset", () => {
  expect(clearFilters(url, url.parse({ orderBy: "title", skip: "25", columns: ["title"] }))).toBeUndefined();
});

test("the store is part of the query but not a filter, and a reset keeps it", () => {
  const archived = listUrl(["createdAt"], { ...stores, user: text });
  const search = archived.parse({ store: "archive", user: "ann" });
  expect(archived.query(search)).toEqual({ limit: 25, store: "archive", user: "ann" });
  expect({ ...search, ...clearFilters(archived, search) }).toEqual({ store: "archive" });
  expect(archived.parse({ store: "other" })).toEqual({});
});
