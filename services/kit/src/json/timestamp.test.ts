import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import {
  dateFromTimestamp,
  instantUnit,
  readInstant,
  readTimestamp,
  timestampFromNs,
  timestampOfMs,
  writeTimestamp,
} from "./timestamp.ts";

test.each([
  ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"],
  ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999Z"],
  ["0001-01-01T00:00:00.000000001Z", "0001-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.1239Z", "2026-01-01T00:00:00.123Z"],
])("%s is in the millisecond %s", (text, millisecond) => {
  const timestamp = readTimestamp(text) ?? create(TimestampSchema);
  expect(dateFromTimestamp(timestamp).toISOString()).toBe(millisecond);
  expect(writeTimestamp(timestamp)).toBe(millisecond);
});

test.each([
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "+010000-01-01T00:00:00Z",
])("%s is outside the range of timestamps", (text) => {
  expect(readTimestamp(text)).toBeUndefined();
});

test.each([
  ["2024-03-10T12:00:00Z", 1710072000n, 0],
  ["2024-03-10t12:00:00z", 1710072000n, 0],
  ["2024-03-10 12:00:00Z", 1710072000n, 0],
  ["2024-03-10T12:00:00", 1710072000n, 0],
  ["2024-03-10T12:00", 1710072000n, 0],
  ["2024-03-10T12:00Z", 1710072000n, 0],
  ["2024-03-10T12:00:00.5Z", 1710072000n, 500_000_000],
  ["2024-03-10T12:00:00.123456", 1710072000n, 123_456_000],
  ["2024-03-10T12:00:00.123456789Z", 1710072000n, 123_456_789],
  ["2024-03-10T12:00:00+05:30", 1710052200n, 0],
  ["2024-03-10T12:00:00 05:30", 1710052200n, 0],
  ["2024-03-10T12:00:00+0530", 1710052200n, 0],
  ["2024-03-10T12:00:00-08", 1710100800n, 0],
  ["2024-03-10", 1710028800n, 0],
  ["2024-02-29T00:00:00Z", 1709164800n, 0],
  ["0001-01-01T00:00:00Z", -62135596800n, 0],
  ["9999-12-31T23:59:59.999Z", 253402300799n, 999_000_000],
])("the instant %s is read", (text, seconds, nanos) => {
  expect(readTimestamp(text)).toMatchObject({ seconds, nanos });
});

test.each([
  "2024-03-10T12",
  "2024-03",
  "2024-03-10T",
  "2024-03-10Z",
  "2024-03-10T12:00:00.Z",
  "10/03/2024",
  "1710072000",
])("%s is not an instant", (text) => {
  expect(readTimestamp(text)).toBeUndefined();
});

test("a plain date is the start or the end of the day in UTC", () => {
  expect(readTimestamp("2024-03-10", "start")).toEqual(readTimestamp("2024-03-10T00:00:00Z"));
  expect(readTimestamp("2024-03-10", "end")).toEqual(readTimestamp("2024-03-10T23:59:59.999999999Z"));
  expect(readTimestamp("9999-12-31", "end")).toBeDefined();
});

test("milliseconds since 1970 are an instant", () => {
  expect(timestampOfMs(1710072000123)).toEqual(readTimestamp("2024-03-10T12:00:00.123Z"));
  expect(timestampOfMs(-1)).toEqual(readTimestamp("1969-12-31T23:59:59.999Z"));
  expect(timestampOfMs(0.25)).toEqual(readTimestamp("1970-01-01T00:00:00.00025Z"));
  for (const ms of [1e18, -1e18, Number.NaN]) expect(timestampOfMs(ms)).toBeUndefined();
});

test.each([-2e-23, -5e-324])("%s ms is the last nanosecond before 1970", (ms) => {
  expect(timestampOfMs(ms)).toMatchObject({ seconds: -1n, nanos: 999_999_999 });
});

test.each([
  [1_687_802_842_609, "2023-06-26T18:07:22.609Z"],
  ["1687802842609", "2023-06-26T18:07:22.609Z"],
  ["1687802842609.25", "2023-06-26T18:07:22.60925Z"],
  ["2023-06-26T18:07:22.609Z", "2023-06-26T18:07:22.609Z"],
  [0, "1970-01-01T00:00:00Z"],
  ["-1", "1969-12-31T23:59:59.999Z"],
])("the instant of telemetry %j is %s", (sent, expected) => {
  expect(readInstant(sent)).toEqual(readTimestamp(expected));
});

test.each([
  [1_795_600_000, "seconds"],
  ["1795600000", "seconds"],
  [1_795_600_000.5, "seconds"],
  [1_795_600_000_000_000, "microseconds"],
  ["1795600000000000000", "nanoseconds"],
])("%j is not in milliseconds but in %s", (sent, unit) => {
  expect(readInstant(sent)).toEqual({ unit });
});

test.each(["soon", "", "1e12", "12:00"])("%j is no instant of telemetry", (sent) => {
  expect(readInstant(sent)).toBeUndefined();
});

test("every time from 1974 to 2500 is known in its unit", () => {
  for (const year of [1974, 1999, 2026, 2500]) {
    const ms = Date.UTC(year, 0, 1);
    expect([ms / 1_000, ms, ms * 1_000, ms * 1e6].map(instantUnit)).toEqual([
      "seconds",
      "milliseconds",
      "microseconds",
      "nanoseconds",
    ]);
  }
});

test("nanoseconds since 1970 are an instant", () => {
  expect(timestampFromNs(1_544_712_660_000_000_001n)).toEqual(readTimestamp("2018-12-13T14:51:00.000000001Z"));
});
