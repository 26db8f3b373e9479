import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCronFault, isTimezone, nextTime } from "./times.ts";

const instant = (text: string) => new Date(text);
const next = (pattern: string, timezone: string, after: string) =>
  nextTime(pattern, timezone, instant(after))?.toISOString();

/** Lists the first `count` times of a schedule after an instant. */
function timesAfter(pattern: string, timezone: string, after: string, count: number): string[] {
  const times: string[] = [];
  for (let time: string | undefined = after; times.length < count && time !== undefined; ) {
    time = next(pattern, timezone, time);
    if (time !== undefined) times.push(time.slice(0, 16));
  }
  return times;
}

describe("patterns", () => {
  test.each([
    ["0 7 * * MON-FRI", undefined],
    ["*/15 * * * *", undefined],
    ["@daily", undefined],
    ["@hourly", undefined],
    ["0,15,30,45 8-18 * * 1", undefined],
    ["0 9 L * *", undefined],
    ["0 9 * * MON#2", undefined],
    ["0 0 29 2 *", undefined],
    ["*/14 * * * *", "too_close"],
    ["* * * * *", "too_close"],
    ["0,14 3 * * *", "too_close"],
    ["55 8,9 * * *", undefined],
    ["50,5 0,23 * * *", undefined],
    ["55,3 0,23 * * *", "too_close"],
    // 23:55 and 00:03 of the next day are too close, but only if two matching days follow each other.
    ["55,20,3 23,0 1,15 * *", undefined],
    ["55,20,3 23,0 1,15,16 * *", "too_close"],
    ["55,20,3 23,0 1,31 * *", "too_close"],
    ["55,20,3 23,0 1,29 2,3 *", "too_close"],
    ["0 0 30 2 *", "never"],
    ["", "pattern"],
    ["0 7 * *", "pattern"],
    ["0 0 7 * * *", "pattern"],
    ["60 7 * * *", "pattern"],
    ["every morning", "pattern"],
    ["2026-01-01T00:00:00", "pattern"],
    ["0 7 * * * 2020", "pattern"],
  ])("%j: %s", (pattern, fault) => {
    expect(findCronFault(pattern)).toBe(fault);
  });

  test("only names of the IANA database are time zones, not offsets or invented names", () => {
    for (const name of ["UTC", "Europe/Copenhagen", "Asia/Kathmandu", "America/Argentina/Buenos_Aires"])
      expect(isTimezone(name)).toBe(true);
    for (const name of ["", "+02:00", "-0300", "Mars/Olympus", "Europe/Copenhagen ", "Europe"])
      expect([name, isTimezone(name)]).toEqual([name, false]);
  });
});

describe("clock changes", () => {
  test("a local time that does not exist is the first instant after", () => {
    // In Copenhagen, 02:00 to 03:00 on 29 March 2026 does not exist.
    expect(timesAfter("30 2 * * *", "Europe/Copenhagen", "2026-03-28T12:00:00Z", 2)).toEqual([
      "2026-03-29T01:00",
      "2026-03-30T00:30",
    ]);
    expect(next("0 2 * * *", "Europe/Copenhagen", "2026-03-28T12:00:00Z")).toBe("2026-03-29T01:00:00.000Z");
    // Lord Howe moves its clocks by half an hour, Apia skipped a whole day, and in Cairo midnight does not exist.
    expect(next("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00Z")).toBe("2026-10-03T15:30:00.000Z");
    expect(next("0 9 30 12 *", "Pacific/Apia", "2011-12-01T00:00:00Z")).toBe("2011-12-30T10:00:00.000Z");
    expect(next("0 0 * * *", "Africa/Cairo", "2026-04-23T12:00:00Z")).toBe("2026-04-23T22:00:00.000Z");
  });

  test("several that do not exist are one run, together with the next time if it is the same", () => {
    expect(timesAfter("*/15 * * * *", "Europe/Copenhagen", "2026-03-29T00:30:00Z", 3)).toEqual([
      "2026-03-29T00:45",
      "2026-03-29T01:00",
      "2026-03-29T01:15",
    ]);
  });

  test("a local time that occurs twice is the first of both", () => {
    expect(timesAfter("30 2 * * *", "Europe/Copenhagen", "2026-10-24T12:00:00Z", 2)).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(timesAfter("*/30 * * * *", "Europe/Copenhagen", "2026-10-25T00:00:00Z", 3)).toEqual([
      "2026-10-25T00:30",
      "2026-10-25T02:00",
      "2026-10-25T02:30",
    ]);
    // Between the two occurrences, the next time is on the next day.
    expect(next("30 2 * * *", "Europe/Copenhagen", "2026-10-25T01:00:00Z")).toBe("2026-10-26T01:30:00.000Z");
  });
});

/** Applies the rules by brute force: lists every local minute of a day, with its instants. */
function expectedTimes(timezone: string, day: Temporal.PlainDate): (minute: number) => number {
  const from = day.subtract({ days: 2 }).toZonedDateTime("UTC").epochMilliseconds;
  /** Every minute of five days as local time and instant, in order of time. */
  const seen: { local: string; at: number }[] = [];
  for (let at = from; at < from + 5 * 86_400_000; at += 60_000) {
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDateTime();
    seen.push({ local: local.toString({ smallestUnit: "minute" }), at });
  }
  const first = new Map<string, number>();
  for (const { local, at } of seen) if (!first.has(local)) first.set(local, at);
  return (minute) => {
    const expected = day.toPlainDateTime().add({ minutes: minute }).toString({ smallestUnit: "minute" });
    // If the minute does not exist, returns the first instant whose local time is later.
    return first.get(expected) ?? seen.find(({ local }) => local > expected)?.at ?? Number.NaN;
  };
}

test("the times of any day of fifty years in any zone follow the rules", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  const transitionDays = (zone: string, year: number): Temporal.PlainDate[] => {
    const start = Temporal.PlainDate.from({ year, month: 1, day: 1 });
    const at = start.toZonedDateTime(zone).getTimeZoneTransition("next");
    return at === null ? [start] : [at.toPlainDate(), at.subtract({ seconds: 1 }).toPlainDate()];
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 1980, max: 2030 }),
      fc.nat(1),
      fc.uniqueArray(fc.integer({ min: 0, max: 95 }), { minLength: 1, maxLength: 6 }),
      fc.nat(14),
      (zone, year, which, quarters, offset) => {
        const days = transitionDays(zone, year);
        const day = days[which % days.length] ?? Temporal.PlainDate.from({ year, month: 1, day: 1 });
        const minutes = quarters.map((quarter) => quarter * 15 + offset).sort((a, b) => a - b);
        const getExpected = expectedTimes(zone, day);
        for (const minute of minutes) {
          const pattern = `${minute % 60} ${Math.floor(minute / 60)} ${day.day} ${day.month} *`;
          const at = getExpected(minute);
          expect(nextTime(pattern, zone, new Date(at - 1))?.getTime()).toBe(at);
          // The time occurs only once, even if the day has more than 24 hours.
          const repeated = nextTime(pattern, zone, new Date(at))?.getTime() ?? Number.POSITIVE_INFINITY;
          expect(repeated).toBeGreaterThan(at + 300 * 86_400_000);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("times increase, and the next time is never before the starting instant", () => {
  const patterns = ["*/15 * * * *", "0 */2 * * *", "30 2 * * *", "0 0 1 * *", "15 1,2,3 * * SUN", "@weekly"];
  fc.assert(
    fc.property(
      fc.constantFrom(...patterns),
      fc.constantFrom(...Intl.supportedValuesOf("timeZone")),
      fc.date({ min: new Date("2000-01-01"), max: new Date("2040-01-01"), noInvalidDate: true }),
      (pattern, zone, after) => {
        const first = nextTime(pattern, zone, after);
        expect(first?.getTime()).toBeGreaterThan(after.getTime());
        // There is no time in between, so it is the next time from any earlier instant.
        const between = new Date((after.getTime() + (first?.getTime() ?? 0)) / 2);
        expect(nextTime(pattern, zone, between)).toEqual(first);
      },
    ),
    { numRuns: 300 },
  );
});
