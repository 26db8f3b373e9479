// Computes with time zones and sets of times. Between two transitions, the offset of a zone is constant, so days and
// months are plain arithmetic. This covers offsets of 45 minutes, days of 23 to 47 hours, and skipped or repeated days.

export const dateTruncs = ["hour", "day", "week", "month", "quarter", "year"] as const;
export type DateTrunc = (typeof dateTruncs)[number];

/** A contiguous part of a bucket; it is the whole bucket unless a transition repeats local time. */
export interface Bucket extends Interval {
  /** Time at which the bucket starts, which is the bucket's value. It may be earlier than `from`. */
  readonly start: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Larger than the offset of any zone and the length of any transition. */
const offsetMaxMs = 2 * dayMs;

/** Returns true if `zone` is in the IANA database; a plain offset such as `+02:00` is not. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the buckets of a finite interval, in order. A bucket contains the times whose local date is in it. However,
 * an hour ends at a transition, so that two hours with the same name are distinct.
 */
export function buckets(zone: string, unit: DateTrunc, { from, to }: Interval): Bucket[] {
  const offset = offsetPeriods(zone, from, from + 1)[0]?.offset ?? 0;
  const earliest = localStart(unit, from + offset) - offset - offsetMaxMs;
  const starts = new Map<number, number>();
  const parts: Bucket[] = [];
  for (const period of offsetPeriods(zone, earliest, to)) {
    if (unit === "hour") starts.clear();
    for (let at = period.from; at < period.to; ) {
      const localFrom = localStart(unit, at + period.offset);
      const end = Math.min(period.to, localEnd(unit, localFrom) - period.offset);
      const start = starts.get(localFrom) ?? at;
      starts.set(localFrom, start);
      const last = parts.at(-1);
      if (last?.start === start && last.to === at) parts[parts.length - 1] = { ...last, to: end };
      else parts.push({ from: at, to: end, start });
      at = end;
    }
  }
  return parts.filter((part) => part.to > from).map((part) => ({ ...part, from: Math.max(part.from, from) }));
}

/** Returns the times whose local date compares to `day` as `matches` accepts (-1 before it, 0 on it, 1 after it). */
export function daysWhere(zone: string, day: number, matches: (side: number) => boolean): Intervals {
  const [from, to] = [day - offsetMaxMs, day + dayMs + offsetMaxMs];
  const parts: Interval[] = matches(-1) ? [{ from: Number.NEGATIVE_INFINITY, to: from }] : [];
  for (const period of offsetPeriods(zone, from, to)) {
    for (let at = period.from; at < period.to; ) {
      const local = localStart("day", at + period.offset);
      const end = Math.min(period.to, local + dayMs - period.offset);
      if (matches(Math.sign(local - day))) parts.push({ from: at, to: end });
      at = end;
    }
  }
  if (matches(1)) parts.push({ from: to, to: Number.POSITIVE_INFINITY });
  return merged(parts);
}

/** Parses a calendar date such as `2024-03-10`; returns its midnight in UTC, or undefined if invalid. */
export function readDay(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  // Needed because Date.parse reads 30 February as 1 March.
  return Number.isNaN(day) || !new Date(day).toISOString().startsWith(text) ? undefined : day;
}

/** An interval between two transitions. */
interface OffsetPeriod extends Interval {
  /** Local time minus UTC. */
  readonly offset: number;
}

function offsetPeriods(zone: string, from: number, to: number): OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  let start = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  for (;;) {
    const next = start.getTimeZoneTransition("next");
    const period = { from: start.epochMilliseconds, offset: start.offsetNanoseconds / 1e6 };
    if (next === null || next.epochMilliseconds >= to) return [...periods, { ...period, to }];
    periods.push({ ...period, to: next.epochMilliseconds });
    start = next;
  }
}

/** Returns the start of the unit (day, month, …) that contains `local`. Local times are represented as UTC. */
function localStart(unit: DateTrunc, local: number): number {
  const days = Math.floor(local / dayMs);
  switch (unit) {
    case "hour":
      return Math.floor(local / hourMs) * hourMs;
    case "day":
      return days * dayMs;
    case "week":
      // The week starts on Monday, and 1 January 1970 was a Thursday.
      return (Math.floor((days + 3) / 7) * 7 - 3) * dayMs;
    case "month":
    case "quarter":
    case "year": {
      const date = new Date(local);
      const months = monthCounts[unit];
      return monthStart(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months);
    }
  }
}

function localEnd(unit: DateTrunc, start: number): number {
  switch (unit) {
    case "hour":
      return start + hourMs;
    case "day":
      return start + dayMs;
    case "week":
      return start + 7 * dayMs;
    case "month":
    case "quarter":
    case "year": {
      const date = new Date(start);
      return monthStart(date.getUTCFullYear(), date.getUTCMonth() + monthCounts[unit]);
    }
  }
}

const monthCounts = { month: 1, quarter: 3, year: 12 } as const;

/** Not simply Date.UTC, which reads the years 0 to 99 as 1900 to 1999. */
function monthStart(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}

/** A half-open interval, in milliseconds since 1970. */
export interface Interval {
  /** Start, inclusive; -Infinity if unbounded. */
  readonly from: number;
  /** End, exclusive; Infinity if unbounded. */
  readonly to: number;
}

/** A set of times: disjoint intervals in order, with a gap between each and the next. */
export type Intervals = readonly Interval[];

export const allTime: Intervals = [{ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];

export function intersection(a: Intervals, b: Intervals): Intervals {
  return a
    .flatMap((left) => b.map((other) => ({ from: Math.max(left.from, other.from), to: Math.min(left.to, other.to) })))
    .filter(({ from, to }) => from < to);
}

export function complement(intervals: Intervals): Intervals {
  const ends = [Number.NEGATIVE_INFINITY, ...intervals.flatMap(({ from, to }) => [from, to]), Number.POSITIVE_INFINITY];
  const gaps: Interval[] = [];
  for (let at = 0; at < ends.length; at += 2) {
    const [from = 0, to = 0] = ends.slice(at, at + 2);
    if (from < to) gaps.push({ from, to });
  }
  return gaps;
}

/** Merges adjacent intervals; `ordered` must be disjoint and in order. */
export function merged(ordered: readonly Interval[]): Intervals {
  const intervals: Interval[] = [];
  for (const { from, to } of ordered) {
    const last = intervals.at(-1);
    if (last?.to === from) intervals[intervals.length - 1] = { from: last.from, to };
    else intervals.push({ from, to });
  }
  return intervals;
}
