// Pure functions that convert retention limits, in UTC, to days in the viewer's time zone.

import { type DayRange, nextDay, today, toInstants } from "../url/day-range.ts";

/** Returns the first day in the viewer's time zone that is fully retained. The limit `since` is midnight UTC. */
export function firstRetainedDay(since: string): string {
  const day = today(new Date(since));
  return Date.parse(toInstants({ from: day }).startDate ?? "") >= Date.parse(since) ? day : nextDay(day);
}

/** Returns true if the range has days that are not fully retained. A range without a start always has such days. */
export const reachesPast = ({ from }: DayRange, firstDay: string | undefined): boolean =>
  firstDay !== undefined && (from === undefined || from < firstDay);

/** Returns the fully retained part of the range. If no day is retained, returns the last day. */
export function retainedDays(range: Required<DayRange>, firstDay: string | undefined): Required<DayRange> {
  if (firstDay === undefined || range.from >= firstDay) return range;
  return { from: firstDay < range.to ? firstDay : range.to, to: range.to };
}
