// Computes the times of a cron pattern in a time zone. Croner lists local times as if they were UTC; this file converts
// them to instants.

import { Cron } from "croner";

/** Minimum number of minutes between two times of a schedule. */
export const apartMinutesMin = 15;

/** Maximum number of times in a day with that distance, plus the first time of the next day. */
const timesADay = (24 * 60) / apartMinutesMin + 1;
/** Number of matching days searched for two consecutive ones: leap-year patterns match few early days. */
const daysMax = 400;

export type CronFault = "pattern" | "never" | "too_close";

/** Returns what is wrong with a pattern; undefined for a valid schedule. */
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

/** Any start would do, because all patterns repeat. */
const start = new Date("2024-01-01T00:00:00Z");

/** Needed because Croner also accepts a single instant as a pattern. */
const isCron = /^\s*(?:@[a-zA-Z]+|\S+(?:\s+\S+){4})\s*$/;

function localTimes(pattern: string): Cron {
  if (!isCron.test(pattern)) throw new TypeError("Not a cron pattern");
  return new Cron(pattern, { mode: "5-part", timezone: "UTC", paused: true });
}

/**
 * Returns true if all times are far enough apart. A pattern has the same times on each matching day, so it is enough to
 * check one day and the border between two consecutive days.
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

/** Returns true if the name is in the IANA database; offsets such as `+02:00` are not. */
export function isTimezone(name: string): boolean {
  if (/^[+-]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the first time of the schedule later than `after`; null if there is none. */
export function nextTime(pattern: string, timezone: string, after: Date): Date | null {
  const cron = localTimes(pattern);
  let local: Date | null = toLocal(after, timezone);
  for (;;) {
    local = cron.nextRun(local);
    if (local === null) return null;
    const time = toInstant(local, timezone);
    // A local time that does not exist, or occurs twice, may yield instants that are not later than `after`.
    if (time > after) return time;
  }
}

/** Returns the local time of an instant, as if it were UTC. */
function toLocal(instant: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime();
  return new Date(local.toZonedDateTime("UTC").epochMilliseconds);
}

/** Returns the instant of a local time: the first one if it occurs twice, or the end of the gap that contains it. */
function toInstant(local: Date, timezone: string): Date {
  const plain = Temporal.Instant.fromEpochMilliseconds(local.getTime()).toZonedDateTimeISO("UTC").toPlainDateTime();
  const time = plain.toZonedDateTime(timezone, { disambiguation: "compatible" });
  if (time.toPlainDateTime().equals(plain)) return new Date(time.epochMilliseconds);
  // `time` is shifted by the length of the gap, so the last transition up to it is the end of the gap.
  const end = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous") ?? time;
  return new Date(end.epochMilliseconds);
}
