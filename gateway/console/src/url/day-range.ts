// Range of days in the viewer's time zone, in the URL as `?from=2026-11-01&to=2026-11-23`.

import { day, type RawSearch } from "./search.ts";

export interface DayRange {
  readonly from?: string;
  /** Last day, inclusive. */
  readonly to?: string;
}

export const dayRange = (raw: RawSearch): DayRange => ({ from: day(raw.from), to: day(raw.to) });

/** Returns the first and last instant, for list requests. JavaScript reads times without a zone in the local zone. */
export const toInstants = ({ from, to }: DayRange) => ({
  startDate: from === undefined ? undefined : new Date(`${from}T00:00:00.000`).toISOString(),
  endDate: to === undefined ? undefined : new Date(`${to}T23:59:59.999`).toISOString(),
});

/** Returns false for dates with a year that is still being typed, such as 0020 on the way to 2026. */
export const isCompleteDay = (date: string) => day(date) !== undefined && date >= "1970";

const dayMs = 86_400_000;
const shifted = (date: string, days: number) => new Date(Date.parse(date) + days * dayMs).toISOString().slice(0, 10);

export const nextDay = (date: string) => shifted(date, 1);

/** Returns the current calendar date in the viewer's time zone. */
export function today(now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Returns the range of the last `days` days up to `until`, inclusive. */
export const lastDays = (days: number, until = today()): Required<DayRange> => ({
  from: shifted(until, 1 - days),
  to: until,
});

/** Lists the days of the range; if there are more than `max`, only the last ones. */
export function everyDay({ from, to }: Required<DayRange>, max: number): string[] {
  const days: string[] = [];
  for (let date = to; date >= from && days.length < max; date = shifted(date, -1)) days.unshift(date);
  return days;
}

export const countDays = ({ from, to }: Required<DayRange>) =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** Returns the range of the same length before or after this one. */
export function neighbor(range: Required<DayRange>, direction: -1 | 1): Required<DayRange> {
  const days = direction * countDays(range);
  return { from: shifted(range.from, days), to: shifted(range.to, days) };
}
