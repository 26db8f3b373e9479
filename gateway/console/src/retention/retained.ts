// Retention limits in the viewer's days. Pure functions.

import { type DayRange, nextDay, today, toInstants } from "../url/day-range.ts";

/** Returns the viewer's first fully retained day. The limit is midnight UTC. */
export function firstRetainedDay(since: string): string {
  const day = today(new Date(since));
  return Date.parse(toInstants({ from: day }).startDate ?? "") >= Date.parse(since) ? day : nextDay(day);
}

/** Returns true if the range has days that are not fully retained; so does a range without a start. */
export const reachesPast = ({ from }: DayRange, firstDay: string | undefined): boolean =>
  firstDay !== undefined && (from === undefined || from < firstDay);

/** Returns the fully retained part of the range, at least its last day. */
export function retainedDays(range: Required<DayRange>, firstDay: string | undefined): Required<DayRange> {
  if (firstDay === undefined || range.from >= firstDay) return range;
  return { from: firstDay < range.to ? firstDay : range.to, to: range.to };
}
