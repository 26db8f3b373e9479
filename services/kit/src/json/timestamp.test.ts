import { create } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { dateOf, readTimestamp, writeTimestamp } from "./timestamp.ts";

test.each([
  ["9999-12-31T23:59:59.999999999Z", "9999-12-31T23:59:59.999Z"],
  ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999Z"],
  ["0001-01-01T00:00:00.000000001Z", "0001-01-01T00:00:00.000Z"],
  ["2026-01-01T00:00:00.1239Z", "2026-01-01T00:00:00.123Z"],
])("%s lies in the millisecond %s", (text, millisecond) => {
  const timestamp = readTimestamp(text) ?? create(TimestampSchema);
  expect(dateOf(timestamp).toISOString()).toBe(millisecond);
  expect(writeTimestamp(timestamp)).toBe(millisecond);
});

test.each([
  "0000-12-31T23:59:59Z",
  "0001-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "+010000-01-01T00:00:00Z",
])("%s is outside of what a timestamp can be", (text) => {
  expect(readTimestamp(text)).toBeUndefined();
});
