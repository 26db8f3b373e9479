// The times of a cron pattern in a time zone. Croner enumerates local times, as if in UTC; which instants they are is ours.

import { Cron } from "croner";

/** How close two times of a schedule may be. */
export const apartMinutesMin = 15;

/** A day has fewer times than this when they are so far apart; with the first of the next. */
const timesADay = (24 * 60) / apartMinutesMin + 1;
/** Matching days among which two in a row are looked for: those of a pattern for leap years are not in the first ones. */
const daysMax = 400;

export type CronFault = "pattern" | "never" | "too_close";

/** What is wrong with a pattern; undefined for one that can be a schedule. */
export function faultOf(pattern: string): CronFault | undefined {
  let cron: Cron;
  try {
    cron = localTimes(pattern);
  } catch {
    return "pattern";
  }
  const first = cron.nextRun(start);
  if (first === null) return "never";
  return areApart(cron) ? undefined : "too_close";
}

/** Any time from which on patterns are looked at: all of them repeat. */
const start = new Date("2024-01-01T00:00:00Z");

/** Croner also takes a single instant as a pattern. */
const isCron = /^\s*(?:@[a-zA-Z]+|\S+(?:\s+\S+){4})\s*$/;

function localTimes(pattern: string): Cron {
  if (!isCron.test(pattern)) throw new TypeError("Not a cron pattern");
  return new Cron(pattern, { mode: "5-part", timezone: "UTC", paused: true });
}

/** The times of each day that a pattern matches are the same: those of one day, and where two such days meet, are all. */
function areApart(cron: Cron): boolean {
  const [first, ...others] = timesOfFirstDay(cron);
  if (first === undefined) return true;
  let previous = first;
  for (const time of others) {
    if (minutesBetween(previous, time) < apartMinutesMin) return false;
    previous = time;
  }
  return minutesBetween(previous, first) + 24 * 60 >= apartMinutesMin || !hasDaysInRow(cron);
}

function timesOfFirstDay(cron: Cron): Date[] {
  const times = cron.nextRuns(timesADay, new Date(start.getTime() - 1000));
  return times.filter((time) => dayOf(time) === dayOf(times[0] ?? time));
}

function hasDaysInRow(cron: Cron): boolean {
  const pattern = cron.getPattern() ?? "";
  const days = pattern.startsWith("@")
    ? [start]
    : localTimes(`0 0 ${pattern.trim().split(/\s+/).slice(2).join(" ")}`).nextRuns(daysMax, start);
  return days.some((day, index) => {
    const next = days[index + 1];
    return next !== undefined && minutesBetween(day, next) === 24 * 60;
  });
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10);
const minutesBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 60_000;

/** Whether it is a name of the IANA database; offsets such as `+02:00` are none. */
export function isTimezone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** The first time of the schedule after `after`; null when there is none. */
export function nextTime(pattern: string, timezone: string, after: Date): Date | null {
  const cron = localTimes(pattern);
  let local: Date | null = localOf(after, timezone);
  for (;;) {
    local = cron.nextRun(local);
    if (local === null) return null;
    const time = instantOf(local, timezone);
    // Of local times that do not exist or occur twice, several may be no later than `after`.
    if (time > after) return time;
  }
}

/** The local time of an instant, as if in UTC. */
function localOf(instant: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime();
  return new Date(local.toZonedDateTime("UTC").epochMilliseconds);
}

/** The instant of a local time: the first of two, or the first after a gap that it is in. */
function instantOf(local: Date, timezone: string): Date {
  const plain = Temporal.Instant.fromEpochMilliseconds(local.getTime()).toZonedDateTimeISO("UTC").toPlainDateTime();
  const time = plain.toZonedDateTime(timezone, { disambiguation: "compatible" });
  if (time.toPlainDateTime().equals(plain)) return new Date(time.epochMilliseconds);
  // Moved by the length of the gap, so that the gap's end is the last transition up to it.
  const end = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous") ?? time;
  return new Date(end.epochMilliseconds);
}
