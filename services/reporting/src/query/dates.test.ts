import { describe, expect, test } from "vitest";
import { buckets, type DateTrunc, daysWhere, isZone, readDay } from "./dates.ts";

const at = (text: string) => Date.parse(text);
const iso = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString().replace(".000", "") : String(ms));
const bucket = (zone: string, unit: DateTrunc, moment: string) =>
  iso(buckets(zone, unit, { from: at(moment), to: at(moment) + 1 })[0]?.start ?? Number.NaN);

describe("a bucket's value is the moment at which it starts", () => {
  test.each<[string, DateTrunc, string, string]>([
    ["UTC", "day", "2024-03-10T23:59:59.999Z", "2024-03-10T00:00:00Z"],
    ["Europe/Copenhagen", "month", "2024-04-15T00:00:00Z", "2024-03-31T22:00:00Z"],
    // Clocks move forward in the night to 31 March, so the midnight before it is still in winter time.
    ["Europe/Copenhagen", "day", "2024-03-31T12:00:00Z", "2024-03-30T23:00:00Z"],
    ["Europe/Copenhagen", "day", "2024-10-27T12:00:00Z", "2024-10-26T22:00:00Z"],
    ["America/New_York", "hour", "2024-03-10T07:30:00Z", "2024-03-10T07:00:00Z"],
    // 01:30 occurs twice: in summer time, and one hour later in winter time.
    ["America/New_York", "hour", "2024-11-03T05:30:00Z", "2024-11-03T05:00:00Z"],
    ["America/New_York", "hour", "2024-11-03T06:30:00Z", "2024-11-03T06:00:00Z"],
    ["Asia/Kolkata", "hour", "2024-06-01T12:40:00Z", "2024-06-01T12:30:00Z"],
    ["Asia/Kolkata", "day", "2024-06-01T18:29:59Z", "2024-05-31T18:30:00Z"],
    ["Asia/Kathmandu", "hour", "2024-06-01T12:20:00Z", "2024-06-01T12:15:00Z"],
    ["Asia/Kathmandu", "day", "2024-06-01T18:20:00Z", "2024-06-01T18:15:00Z"],
    ["Pacific/Chatham", "day", "2024-06-01T12:00:00Z", "2024-06-01T11:15:00Z"],
    // Clocks move by half an hour; the hour into which they move back starts a second time.
    ["Australia/Lord_Howe", "hour", "2024-04-06T14:45:00Z", "2024-04-06T14:00:00Z"],
    ["Australia/Lord_Howe", "hour", "2024-04-06T15:15:00Z", "2024-04-06T15:00:00Z"],
    ["Australia/Lord_Howe", "hour", "2024-04-06T15:45:00Z", "2024-04-06T15:30:00Z"],
    // 30 December 2011 did not exist in Samoa.
    ["Pacific/Apia", "day", "2011-12-30T09:59:59Z", "2011-12-29T10:00:00Z"],
    ["Pacific/Apia", "day", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00Z"],
    // Midnight did not exist on these days.
    ["America/Sao_Paulo", "day", "2018-11-04T12:00:00Z", "2018-11-04T03:00:00Z"],
    ["Asia/Beirut", "day", "2024-03-31T12:00:00Z", "2024-03-30T22:00:00Z"],
    // One minute after midnight, the clock moved back to 23:01: the previous day continues, then the new day does.
    ["America/St_Johns", "day", "2010-11-07T02:30:30Z", "2010-11-07T02:30:00Z"],
    ["America/St_Johns", "day", "2010-11-07T02:31:00Z", "2010-11-06T02:30:00Z"],
    ["America/St_Johns", "day", "2010-11-07T03:30:00Z", "2010-11-07T02:30:00Z"],
    // Weeks start on Monday.
    ["Europe/Copenhagen", "week", "2024-03-31T21:59:59Z", "2024-03-24T23:00:00Z"],
    ["Europe/Copenhagen", "week", "2024-03-31T22:00:00Z", "2024-03-31T22:00:00Z"],
    ["UTC", "week", "1970-01-01T00:00:00Z", "1969-12-29T00:00:00Z"],
    ["UTC", "week", "2027-01-03T12:00:00Z", "2026-12-28T00:00:00Z"],
    ["America/Los_Angeles", "quarter", "2024-05-05T00:00:00Z", "2024-04-01T07:00:00Z"],
    ["America/Los_Angeles", "quarter", "2024-01-01T00:00:00Z", "2023-10-01T07:00:00Z"],
    ["Pacific/Kiritimati", "year", "2023-12-31T10:00:00Z", "2023-12-31T10:00:00Z"],
    ["Etc/GMT+12", "year", "2024-01-01T11:59:59Z", "2023-01-01T12:00:00Z"],
    ["Africa/Casablanca", "month", "2024-03-15T00:00:00Z", "2024-02-29T23:00:00Z"],
    ["UTC", "year", "0099-06-01T00:00:00Z", "0099-01-01T00:00:00Z"],
  ])("%s %s of %s", (zone, unit, moment, expected) => {
    expect(bucket(zone, unit, moment)).toBe(expected);
  });
});

test("days are 23 and 25 hours long at transitions", () => {
  const hours = (from: string, to: string) =>
    buckets("Europe/Copenhagen", "day", { from: at(from), to: at(to) }).map((day) => (day.to - day.from) / 3_600_000);
  expect(hours("2024-03-29T23:00:00Z", "2024-04-01T22:00:00Z")).toEqual([24, 23, 24]);
  expect(hours("2024-10-25T22:00:00Z", "2024-10-28T23:00:00Z")).toEqual([24, 25, 24]);
});

test("a repeated day has two intervals and one value", () => {
  const from = at("2010-11-07T02:00:00Z");
  const days = buckets("America/St_Johns", "day", { from, to: from + 3 * 3_600_000 });
  expect(days.map((day) => [iso(day.from), iso(day.start)])).toEqual([
    ["2010-11-07T02:00:00Z", "2010-11-06T02:30:00Z"],
    ["2010-11-07T02:30:00Z", "2010-11-07T02:30:00Z"],
    ["2010-11-07T02:31:00Z", "2010-11-06T02:30:00Z"],
    ["2010-11-07T03:30:00Z", "2010-11-07T02:30:00Z"],
  ]);
});

describe("a calendar date is the whole local day", () => {
  const day = (zone: string, text: string, sides: readonly number[]) =>
    daysWhere(zone, readDay(text) ?? Number.NaN, (side) => sides.includes(side)).map(({ from, to }) => [
      iso(from),
      iso(to),
    ]);
  test.each<[string, string, readonly number[], string[][]]>([
    ["Europe/Copenhagen", "2024-03-31", [0], [["2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z"]]],
    ["Europe/Copenhagen", "2024-03-31", [-1], [["-Infinity", "2024-03-30T23:00:00Z"]]],
    ["Europe/Copenhagen", "2024-03-31", [0, 1], [["2024-03-30T23:00:00Z", "Infinity"]]],
    ["Pacific/Apia", "2011-12-30", [0], []],
    ["Pacific/Apia", "2011-12-30", [-1, 0], [["-Infinity", "2011-12-30T10:00:00Z"]]],
    ["Pacific/Apia", "2011-12-30", [1], [["2011-12-30T10:00:00Z", "Infinity"]]],
    [
      "America/St_Johns",
      "2010-11-07",
      [0],
      [
        ["2010-11-07T02:30:00Z", "2010-11-07T02:31:00Z"],
        ["2010-11-07T03:30:00Z", "2010-11-08T03:30:00Z"],
      ],
    ],
    // The clock of Kwajalein skipped a day in 1993, and moved back by 23 hours in 1969.
    ["Pacific/Kwajalein", "1993-08-21", [0], []],
    ["Pacific/Kwajalein", "1969-09-30", [0], [["1969-09-29T13:00:00Z", "1969-10-01T12:00:00Z"]]],
  ])("%s %s %j", (zone, text, sides, expected) => {
    expect(day(zone, text, sides)).toEqual(expected);
  });
});

test("zones are those of the IANA database", () => {
  const good = ["UTC", "Europe/Copenhagen", "europe/copenhagen", "Etc/GMT+5", "US/Eastern", "EST5EDT", "Asia/Calcutta"];
  const bad = ["", "FOO+99", "+02:00", "-0300", "Europe/", "Europe/Copenhagen ", "Mars/Base", "UTC\0", "Z", "GMT+5"];
  expect(good.filter((zone) => !isZone(zone))).toEqual([]);
  expect(bad.filter(isZone)).toEqual([]);
});

test("calendar dates are read strictly", () => {
  const good = ["2024-02-29", "0001-01-01", "9999-12-31"];
  const bad = ["2023-02-29", "2024-2-9", "2024-13-01", "2024-00-10", "20240310", "2024-03-10T00:00", " 2024-03-10"];
  expect(good.map(readDay)).toEqual(good.map((text) => Date.parse(text)));
  expect(bad.map(readDay)).toEqual(bad.map(() => undefined));
});
