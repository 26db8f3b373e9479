import { expect, test } from "vitest";
import { countDays, dayRange, everyDay, lastDays, neighbor, today, toInstants } from "./day-range.ts";

test("the last 30 days end today", () => {
  expect(lastDays(30, "2026-11-23")).toEqual({ from: "2026-10-25", to: "2026-11-23" });
  expect(countDays(lastDays(30, "2026-03-31"))).toBe(30);
});

test("every day of a range is listed, or only the last days of a long one", () => {
  expect(everyDay({ from: "2026-02-27", to: "2026-03-01" }, 100)).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
  expect(everyDay({ from: "2020-01-01", to: "2026-03-01" }, 2)).toEqual(["2026-02-28", "2026-03-01"]);
  expect(everyDay({ from: "2026-03-02", to: "2026-03-01" }, 100)).toEqual([]);
});

test("neighboring ranges are adjacent", () => {
  const range = { from: "2026-02-01", to: "2026-02-28" };
  expect(neighbor(range, -1)).toEqual({ from: "2026-01-04", to: "2026-01-31" });
  expect(neighbor(neighbor(range, -1), 1)).toEqual(range);
});

test("a range has whole days, also with days of 23 or 25 hours", () => {
  const { startDate, endDate } = toInstants({ from: "2026-03-29", to: "2026-03-29" });
  expect(new Date(startDate ?? "").getHours()).toBe(0);
  expect(new Date(endDate ?? "").getHours()).toBe(23);
  expect(toInstants({})).toEqual({ startDate: undefined, endDate: undefined });
});

test("today is the date of the viewer's clock", () => {
  expect(today(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});

test("an invalid date is ignored", () => {
  expect(dayRange({ from: "yesterday", to: "2026-13-01" })).toEqual({ from: undefined, to: undefined });
});
