// Timestamps in JSON: ISO 8601. Written with milliseconds and Z; read with any offset and up to nine decimals.

import { create } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";

export function writeTimestamp(timestamp: Timestamp): string {
  return dateOf(timestamp).toISOString();
}

/** Truncated to the millisecond. protobuf's `timestampDate` rounds, for the last timestamp into the year 10000. */
export function dateOf({ seconds, nanos }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.trunc(nanos / 1e6));
}

const pattern =
  /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

// The range of google.protobuf.Timestamp: the years 1 to 9999.
const secondsMin = Date.parse("0001-01-01T00:00:00Z") / 1000;
const secondsMax = Date.parse("9999-12-31T23:59:59Z") / 1000;

/** Reads RFC 3339; undefined for other text. */
export function readTimestamp(text: string): Timestamp | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, date = "", time = "", fraction = "", sign, hours, minutes] = match;
  const local = Date.parse(`${date}${time}Z`);
  // Date.parse turns 30 February into 1 March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(date)) return undefined;
  const offset = sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
  const seconds = local / 1000 - offset;
  if (seconds < secondsMin || seconds > secondsMax) return undefined;
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos: Number(fraction.padEnd(9, "0")) });
}
