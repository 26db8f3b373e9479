import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";
import type { ResultColumn } from "./report-words.ts";

const text: ResultColumn = { id: "title", name: "Title", type: "string", unit: "number", column: undefined };
const reference = { id: "topicId", name: "Topic", type: "string", isReference: true } as ResultColumn["column"];
const splitLines = (csv: string) => csv.slice(1).split("\r\n");

test.each([
  ["=1+1", "'=1+1"],
  ["+SUM(A1)", "'+SUM(A1)"],
  ["-1", "'-1"],
  ["@cmd", "'@cmd"],
  ["\t=1", "'\t=1"],
  [" =1", "' =1"],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["a,b", '"a,b"'],
  ["a\nb", '"a\nb"'],
  ['say "no"', '"say ""no"""'],
  ["plain", "plain"],
])("%j is escaped so that no spreadsheet runs it", (title, expected) => {
  expect(toCsv([text], [{ title }], "UTC")).toBe(`\uFEFFTitle\r\n${expected}\r\n`);
});

test("negative numbers stay numbers, and the header has the unit", () => {
  const cost: ResultColumn = {
    id: "sum_cost",
    name: "Sum of Cost (USD)",
    type: "number",
    unit: "usd",
    column: undefined,
  };
  const rate: ResultColumn = {
    id: "avg_passed",
    name: "Average Passed",
    type: "number",
    unit: "rate",
    column: undefined,
  };
  const [header, first] = splitLines(toCsv([cost, rate], [{ sum_cost: -0.5, avg_passed: null }], "UTC"));
  expect(header).toBe('Sum of Cost (USD),"Average Passed (share, 0 to 1)"');
  expect(first).toBe("-0.5,");
});

test("the first day of a bucket is in the report's time zone, and a time is in UTC", () => {
  const day: ResultColumn = {
    id: "at",
    name: "Created",
    type: "date",
    unit: "number",
    column: undefined,
    trunc: "day",
  };
  const rows = [{ at: "2026-11-22T23:00:00.000Z" }];
  expect(splitLines(toCsv([day], rows, "Europe/Copenhagen"))).toEqual([
    '"Created (day, Europe/Copenhagen)"',
    "2026-11-23",
    "",
  ]);
  const { trunc: _, ...moment } = day;
  expect(splitLines(toCsv([moment], rows, "Europe/Copenhagen"))).toEqual([
    "Created (UTC)",
    "2026-11-22T23:00:00.000Z",
    "",
  ]);
});

test("an interval has three columns, a reference two", () => {
  const interval: ResultColumn = { id: "i", name: "Interval", type: "interval", unit: "rate", column: undefined };
  const topic: ResultColumn = { id: "topicId", name: "Topic", type: "string", unit: "number", column: reference };
  const rows = [{ i: { low: 0.1, high: 0.2, n: 3 }, topicId: { id: "1", name: "=x" } }];
  expect(splitLines(toCsv([interval, topic], rows, "UTC"))[1]).toBe("0.1,0.2,3,'=x,1");
});
