// What is past its retention, in days of the viewer. Pure.

import { type DayRange, nextDay, timesOf, today } from "../url/day-range.ts";

/** The first day of the viewer of which all is kept: the border is a midnight of UTC. */
export function firstRetainedDay(since: string): string {
  const day = today(new Date(since));
  return Date.parse(timesOf({ from: day }).startDate ?? "") >= Date.parse(since) ? day : nextDay(day);
}

/** Whether the range has days of which not all is kept; one without a beginning has. */
export const reachesPast = ({ from }: DayRange, firstDay: string | undefined): boolean =>
  firstDay !== undefined && (from === undefined || from < firstDay);

/** The days of the range of which all is kept, or its last one. */
export function retainedDays(range: Required<DayRange>, firstDay: string | undefined): Required<DayRange> {
  if (firstDay === undefined || range.from >= firstDay) return range;
  return { from: firstDay < range.to ? firstDay : range.to, to: range.to };
}
