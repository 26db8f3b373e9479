// Dates in a time zone, computed with Luxon and without optimization. Shares no code with reporting's query/dates.ts.

import { DateTime, IANAZone } from "luxon";
import { type Random, seededRandom } from "./random.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export type Unit = "hour" | "day" | "week" | "month" | "quarter" | "year";
export const units: readonly Unit[] = ["hour", "day", "week", "month", "quarter", "year"];

/** Every zone of the IANA database that the runtime has. */
export const allZones: readonly string[] = [...Intl.supportedValuesOf("timeZone"), "UTC", "US/Eastern", "Etc/GMT+12"];

/** Picks `count` zones at random, each with its index among all zones, which seeds its cases. */
export function someZones(seed: number, count: number): [index: number, name: string][] {
  return seededRandom(seed).sample([...allZones.entries()], count);
}

/** Dates of one zone. Results are cached, since a `DateTime` is expensive. */
export class ZoneView {
  readonly name: string;
  readonly #zone: IANAZone;
  readonly #offsets = new Map<number, number>();
  readonly #starts = new Map<string, number>();

  constructor(name: string) {
    this.name = name;
    this.#zone = IANAZone.create(name);
  }

  /** Offset of local time from UTC, in milliseconds. */
  offset(at: number): number {
    const cached = this.#offsets.get(at);
    if (cached !== undefined) return cached;
    const offset = this.#zone.offset(at) * minuteMs;
    this.#offsets.set(at, offset);
    return offset;
  }

  /** Returns the local date in the form `2024-03-10`. */
  date(at: number): string {
    return new Date(at + this.offset(at)).toISOString().slice(0, 10);
  }

  /** Start of the bucket that contains `at`. */
  bucket(unit: Unit, at: number): number {
    if (unit === "hour") return this.#hour(at);
    const label = getLabel(unit, this.date(at));
    const start = this.#starts.get(label) ?? this.#dated(unit, label, at);
    this.#starts.set(label, start);
    return start;
  }

  /** Returns the start of the hour: the last full local hour or clock change, whichever is later. */
  #hour(at: number): number {
    const sinceFull = (at + this.offset(at)) % hourMs;
    const full = at - (sinceFull < 0 ? sinceFull + hourMs : sinceFull);
    if (this.offset(full) === this.offset(at)) return full;
    let start = Math.floor(at / minuteMs) * minuteMs;
    while (this.offset(start - minuteMs) === this.offset(at)) start -= minuteMs;
    return start;
  }

  /** Returns the first moment whose local date is in the unit. */
  #dated(unit: DateUnit, label: string, at: number): number {
    const guess = DateTime.fromMillis(at, { zone: this.#zone }).startOf(unit).toMillis();
    const [before, after] = [guess - 26 * hourMs, guess + 26 * hourMs];
    if (this.offset(before) === this.offset(after)) return guess;
    // Near a clock change: try every quarter of an hour, the granularity of clock changes.
    for (let moment = before; moment <= at; moment += hourMs / 4) {
      if (getLabel(unit, this.date(moment)) === label) return moment;
    }
    return at;
  }

  /** Lists clock changes between two years, to the minute. */
  changes(fromYear: number, toYear: number): number[] {
    const found: number[] = [];
    const end = Date.UTC(toYear, 0, 1);
    for (let at = Date.UTC(fromYear, 0, 1); at < end; at += 20 * dayMs) {
      let [low, high] = [at, at + 20 * dayMs];
      if (this.offset(low) === this.offset(high)) continue;
      while (high - low > minuteMs) {
        const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
        if (this.offset(middle) === this.offset(low)) low = middle;
        else high = middle;
      }
      found.push(high);
    }
    return found;
  }
}

type DateUnit = Exclude<Unit, "hour">;

const labels = new Map<string, string>();

/** Returns the label of the unit that contains a date, such as `2024 Q1`. */
function getLabel(unit: DateUnit, date: string): string {
  const key = `${unit} ${date}`;
  const label = labels.get(key) ?? newLabel(unit, date);
  labels.set(key, label);
  return label;
}

function newLabel(unit: DateUnit, date: string): string {
  const { year, month, quarter, weekYear, weekNumber } = DateTime.fromISO(date, { zone: "utc" });
  switch (unit) {
    case "day":
      return date;
    case "week":
      return `${weekYear} W${weekNumber}`;
    case "month":
      return `${year} M${month}`;
    case "quarter":
      return `${year} Q${quarter}`;
    case "year":
      return `${year}`;
  }
}

/** Returns moments at, around and between clock changes of the zone between two years. */
export function getMoments(
  zone: ZoneView,
  random: Random,
  years: readonly [number, number],
  changes: number,
): number[] {
  const [from, to] = [Date.UTC(years[0], 0, 1), Date.UTC(years[1], 0, 1)];
  const around = random
    .sample(zone.changes(...years), changes)
    .flatMap((change) => [0, -1, 1, -hourMs, hourMs, random.int(-dayMs, dayMs)].map((off) => change + off));
  const anywhere = Array.from({ length: 8 }, () => from + random.int(0, 1e6) * Math.floor((to - from) / 1e6));
  return [...around, ...anywhere];
}
