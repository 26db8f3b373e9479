import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "../url/search.ts";
import { buildQuery, changed, filterPart, parseFilter, reportSearch, startingReport } from "./report-search.ts";

test("a URL contains the whole query and restores it", () => {
  const search = {
    source: "eval",
    timezone: "Asia/Kolkata",
    archived: false,
    chart: "bar",
    skip: 25,
    limit: 50,
    filter: [
      filterPart({ type: "string", column: "topicId", operator: "eq", value: ["a:b,c&d", 'quote "'] }),
      'date:createdAt:between:["2026-11-01","2026-11-23"]',
      "boolean:passed:eq:[false]",
    ],
    group: ["date:createdAt:week", "string:topicId"],
    measure: ["count", "avg:score"],
    order: ["avg_score:desc"],
  } as const;
  const read = reportSearch(parseSearch(stringifySearch(search)));
  expect(read).toEqual(search);
  expect(buildQuery(read)).toEqual({
    datasource: "eval",
    timezone: "Asia/Kolkata",
    includeArchived: false,
    skip: 25,
    limit: 50,
    filters: [
      { type: "string", column: "topicId", operator: "eq", value: ["a:b,c&d", 'quote "'] },
      { type: "date", column: "createdAt", operator: "between", value: ["2026-11-01", "2026-11-23"] },
      { type: "boolean", column: "passed", operator: "eq", value: [false] },
    ],
    groupBy: [
      { type: "date", column: "createdAt", dateTrunc: "week" },
      { type: "string", column: "topicId" },
    ],
    measurements: [{ type: "count" }, { type: "avg", column: "score" }],
    orderBy: [{ column: "avg_score", direction: "desc" }],
  });
});

test.each([
  ["a filter without a type", { filter: "createdAt:eq:[1]" }],
  ["a filter without values", { filter: "number:score:gt:[]" }],
  ["a filter that is not JSON", { filter: "number:score:gt:1," }],
  ["a date without its bucket", { group: "date:createdAt" }],
  ["a bucket of a column that is not a date", { group: "string:status:week" }],
  ["a mean without a column", { measure: "avg" }],
  ["an order without a direction", { order: "count" }],
])("%s is ignored", (_, raw) => {
  expect(Object.values(reportSearch(raw)).filter((value) => value !== undefined)).toEqual([]);
});

test("a change resets the page and drops orders of removed columns", () => {
  const before = { ...startingReport(), order: ["avg_passed:desc", "createdAt:asc"], skip: 25 };
  const after = changed(before, { measure: ["count"] });
  expect([after.order, after.skip]).toEqual([["createdAt:asc"], undefined]);
});

test("values of a filter may contain colons", () => {
  const filter = { type: "date", column: "createdAt", operator: "gte", value: ["2026-11-01T08:00:00Z"] } as const;
  expect(parseFilter(filterPart({ ...filter, value: [...filter.value] }))).toEqual(filter);
});
