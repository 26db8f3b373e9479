// Timestamps in JSON: ISO 8601. Written with milliseconds and Z, read in all forms that clients write.

import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

export function writeTimestamp(timestamp: Timestamp): string {
  return dateFromTimestamp(timestamp).toISOString();
}

/** Truncates to milliseconds. protobuf's `timestampDate` rounds, which moves the last valid time into the year 10000. */
export function dateFromTimestamp({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.trunc(nanos / 1e6));
}

const date = String.raw`(\d{4}-\d\d-\d\d)`;
const time = String.raw`((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:\.(\d{1,9}))?`;
// A plus sign that a query did not escape arrives as a space.
const zone = String.raw`(?:[Zz]|([+ -])([01]\d|2[0-3])(?::?([0-5]\d))?)`;
const pattern = new RegExp(`^${date}(?:[Tt ]${time}${zone}?)?$`);

// The range of google.protobuf.Timestamp: the years 1 to 9999.
const secondsMin = Date.parse("0001-01-01T00:00:00Z") / 1000;
const secondsMax = Date.parse("9999-12-31T23:59:59Z") / 1000;

const secondsOfDay = 24 * 60 * 60;

/**
 * Reads ISO 8601 with or without seconds and zone (default UTC); a plain date is the start or the end of that UTC day.
 * Returns undefined for other text.
 */
export function readTimestamp(text: string, day: "start" | "end" = "start"): Timestamp | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, date = "", time, fraction = "", sign, hours = "0", minutes = "0"] = match;
  const local = Date.parse(`${date}T${time ?? "00:00"}Z`);
  // Date.parse turns 30 February into 1 March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const seconds = local / 1000 - offset;
  if (seconds < secondsMin || seconds > secondsMax) return undefined;
  if (time === undefined && day === "end") return timestamp(seconds + secondsOfDay - 1, 999_999_999);
  return timestamp(seconds, Number(fraction.padEnd(9, "0")));
}

/** Converts milliseconds since 1970; returns undefined outside of the range. */
export function timestampOfMs(ms: number): Timestamp | undefined {
  const whole = Math.floor(ms);
  const seconds = Math.floor(whole / 1000);
  if (!(seconds >= secondsMin && seconds <= secondsMax)) return undefined;
  // Limit the nanoseconds: rounding may turn a fraction just below a millisecond into a whole one.
  const fraction = Math.min(Math.floor((ms - whole) * 1e6), 999_999);
  return timestamp(seconds, (whole - seconds * 1000) * 1e6 + fraction);
}

export type InstantUnit = "seconds" | "milliseconds" | "microseconds" | "nanoseconds";

/**
 * Returns the unit of a number that stands for a time from the year 1973 on: in another unit, it would be millennia
 * away. Undefined for smaller numbers.
 */
export function instantUnit(number: number): InstantUnit | undefined {
  if (number < 1e8) return undefined;
  if (number < 1e11) return "seconds";
  if (number < 1e14) return "milliseconds";
  return number < 1e17 ? "microseconds" : "nanoseconds";
}

/** A number that is not in milliseconds. */
export interface WrongUnit {
  readonly unit: InstantUnit;
}

/**
 * Reads an instant of telemetry: ISO 8601, or milliseconds since 1970 as a number or as text. Returns the unit of a
 * number that is in another one, and undefined for anything else.
 */
export function readInstant(value: string | number): Timestamp | WrongUnit | undefined {
  if (typeof value === "string" && !/^-?\d{1,20}(?:\.\d{1,20})?$/.test(value)) return readTimestamp(value);
  const number = Number(value);
  const unit = instantUnit(number);
  return unit === undefined || unit === "milliseconds" ? timestampOfMs(number) : { unit };
}

/** Converts nanoseconds since 1970, which must not be before it, nor after the year 9999. */
export function timestampFromNs(ns: bigint): Timestamp {
  return create(TimestampSchema, { seconds: ns / 1_000_000_000n, nanos: Number(ns % 1_000_000_000n) });
}

/** Returns true if a timestamp that arrived as protobuf is in the range. */
export function isTimestamp({ seconds, nanos }: Timestamp): boolean {
  return seconds >= secondsMin && seconds <= secondsMax && nanos >= 0 && nanos < 1e9;
}

function timestamp(seconds: number, nanos: number): Timestamp {
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos });
}
