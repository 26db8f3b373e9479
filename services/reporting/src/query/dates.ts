// What dates mean in a time zone: the one place that knows of clocks that change. Between two changes of a zone's clock,
// local time is UTC plus a fixed offset, so days and months are plain arithmetic there; the rest is joining the pieces.
// Every zone falls out of that: half-hour and 45-minute offsets, days of 23, 25 or 47 hours, days that never were, and
// days that a clock set back past midnight takes up again.
//
// Times are milliseconds since 1970. "Local" ones are what a clock in the zone shows, as if that were UTC.

import { joined, type Range, type Ranges } from "./ranges.ts";

export const dateTruncs = ["hour", "day", "week", "month", "quarter", "year"] as const;
export type DateTrunc = (typeof dateTruncs)[number];

/** A stretch of time in one bucket. */
export interface Tile extends Range {
  /** The moment at which the bucket starts: its value. It may lie before the tile. */
  readonly bucket: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** No zone is further from UTC than this, and no clock was ever set back further. */
const farMs = 2 * dayMs;

/** Whether `zone` names a time zone of the IANA database; a bare offset such as `+02:00` is none. */
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
 * `range`, whose ends are finite, cut into buckets of `zone`, in the order of time. A bucket holds the moments whose local
 * date lies in it; where a clock is set back past midnight, it has more than one tile. Hours are finer: a change of the
 * clock ends one, so that the two that share a name are told apart.
 */
export function tiles(zone: string, unit: DateTrunc, { from, to }: Range): Tile[] {
  const [here] = runs(zone, from, from + 1);
  const reach = localStart(unit, from + (here?.offset ?? 0)) - (here?.offset ?? 0) - farMs;
  const starts = new Map<number, number>();
  const made: Tile[] = [];
  for (const run of runs(zone, reach, to)) {
    // Days know nothing of the change that a run starts with; hours do.
    if (unit === "hour") starts.clear();
    for (let at = run.from; at < run.to; ) {
      const start = localStart(unit, at + run.offset);
      const end = Math.min(run.to, localEnd(unit, start) - run.offset);
      const bucket = starts.get(start) ?? at;
      starts.set(start, bucket);
      const last = made.at(-1);
      if (last?.bucket === bucket && last.to === at) made[made.length - 1] = { ...last, to: end };
      else made.push({ from: at, to: end, bucket });
      at = end;
    }
  }
  return made.filter((tile) => tile.to > from).map((tile) => ({ ...tile, from: Math.max(tile.from, from) }));
}

/** The moments of which the local date stands to `day` as `passes` wants: -1 before it, 0 on it, 1 after it. */
export function daysWhere(zone: string, day: number, passes: (side: number) => boolean): Ranges {
  const [from, to] = [day - farMs, day + dayMs + farMs];
  const pieces: Range[] = passes(-1) ? [{ from: Number.NEGATIVE_INFINITY, to: from }] : [];
  for (const run of runs(zone, from, to)) {
    for (let at = run.from; at < run.to; ) {
      const local = localStart("day", at + run.offset);
      const end = Math.min(run.to, local + dayMs - run.offset);
      if (passes(Math.sign(local - day))) pieces.push({ from: at, to: end });
      at = end;
    }
  }
  if (passes(1)) pieces.push({ from: to, to: Number.POSITIVE_INFINITY });
  return joined(pieces);
}

/** A calendar date, `2024-03-10`, as its local midnight; undefined when it is none. */
export function readDay(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = Date.parse(`${text}T00:00:00Z`);
  // Date.parse makes 1 March of 30 February.
  return Number.isNaN(day) || !new Date(day).toISOString().startsWith(text) ? undefined : day;
}

/** A stretch of time during which the zone's clock is not changed. */
interface Run extends Range {
  /** What local time is ahead of UTC. */
  readonly offset: number;
}

function runs(zone: string, from: number, to: number): Run[] {
  const found: Run[] = [];
  let here = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone);
  for (;;) {
    const next = here.getTimeZoneTransition("next");
    const run = { from: here.epochMilliseconds, offset: here.offsetNanoseconds / 1e6 };
    if (next === null || next.epochMilliseconds >= to) return [...found, { ...run, to }];
    found.push({ ...run, to: next.epochMilliseconds });
    here = next;
  }
}

/** The start of the unit that `local` lies in. */
function localStart(unit: DateTrunc, local: number): number {
  const days = Math.floor(local / dayMs);
  switch (unit) {
    case "hour":
      return Math.floor(local / hourMs) * hourMs;
    case "day":
      return days * dayMs;
    case "week":
      // 1970 began on a Thursday, three days after a Monday.
      return (Math.floor((days + 3) / 7) * 7 - 3) * dayMs;
    case "month":
    case "quarter":
    case "year": {
      const date = new Date(local);
      const months = monthsOf[unit];
      return monthStart(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / months) * months);
    }
  }
}

/** The end of the unit that starts at `start`. */
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
      return monthStart(date.getUTCFullYear(), date.getUTCMonth() + monthsOf[unit]);
    }
  }
}

const monthsOf = { month: 1, quarter: 3, year: 12 } as const;

/** Unlike Date.UTC it leaves the years 0 to 99 what they are. */
function monthStart(year: number, month: number): number {
  return new Date(0).setUTCFullYear(year, month, 1);
}
