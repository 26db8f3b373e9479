// Times of a cron pattern in a time zone. Croner enumerates local times, as if in UTC; this file converts them to
// instants.

import { Cron } from "croner";

/** Minimum minutes between two times of a schedule. */
export const apartMinutesMin = 15;

/** Maximum number of times in a day with that distance, plus the first of the next day. */
const timesADay = (24 * 60) / apartMinutesMin + 1;
/** Number of matching days that are searched for two consecutive ones: patterns for leap years match few early days. */
const daysMax = 400;

export type CronFault = "pattern" | "never" | "too_close";

/** Returns the error in a pattern; undefined for a valid schedule. */
export function findCronFault(pattern: string): CronFault | undefined {
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

/** Any start works, because all patterns repeat. */
const start = new Date("2024-01-01T00:00:00Z");

/** Croner also accepts a single instant as a pattern. */
const isCron = /^\s*(?:@[a-zA-Z]+|\S+(?:\s+\S+){4})\s*$/;

function localTimes(pattern: string): Cron {
  if (!isCron.test(pattern)) throw new TypeError("Not a cron pattern");
  return new Cron(pattern, { mode: "5-part", timezone: "UTC", paused: true });
}

/**
 * A pattern has the same times on each matching day: it is enough to check one day, and the border of two consecutive
 * ones.
 */
function areApart(cron: Cron): boolean {
  const [first, ...later] = timesOfFirstDay(cron);
  if (first === undefined) return true;
  let previous = first;
  for (const time of later) {
    if (minutesBetween(previous, time) < apartMinutesMin) return false;
    previous = time;
  }
  return minutesBetween(previous, first) + 24 * 60 >= apartMinutesMin || !hasDaysInRow(cron);
}

function timesOfFirstDay(cron: Cron): Date[] {
  const times = cron.nextRuns(timesADay, new Date(start.getTime() - 1000));
  return times.filter((time) => toDay(time) === toDay(times[0] ?? time));
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

const toDay = (time: Date) => time.toISOString().slice(0, 10);
const minutesBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 60_000;

/** Returns whether the name is in the IANA database; offsets such as `+02:00` are not. */
export function isTimezone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the first time of the schedule after `after`; null if there is none. */
export function nextTime(pattern: string, timezone: string, after: Date): Date | null {
  const cron = localTimes(pattern);
  let local: Date | null = toLocal(after, timezone);
  for (;;) {
    local = cron.nextRun(local);
    if (local === null) return null;
    const time = toInstant(local, timezone);
    // Local times that do not exist or occur twice may yield several instants at or before `after`.
    if (time > after) return time;
  }
}

/** Returns the local time of an instant, as if in UTC. */
function toLocal(instant: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime();
  return new Date(local.toZonedDateTime("UTC").epochMilliseconds);
}

/** Returns the instant of a local time: the first of two, or the first after the gap that contains it. */
function toInstant(local: Date, timezone: string): Date {
  const plain = Temporal.Instant.fromEpochMilliseconds(local.getTime()).toZonedDateTimeISO("UTC").toPlainDateTime();
  const time = plain.toZonedDateTime(timezone, { disambiguation: "compatible" });
  if (time.toPlainDateTime().equals(plain)) return new Date(time.epochMilliseconds);
  // Shifted by the length of the gap, so that the gap's end is the last transition up to it.
  const end = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous") ?? time;
  return new Date(end.epochMilliseconds);
}
