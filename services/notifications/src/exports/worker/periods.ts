// Periods of exports, and names of their objects: pure, in UTC.

import type { Dataset, Period } from "../entity.ts";

const hourMs = 3_600_000;
const lengthsMs: Readonly<Record<Period, number>> = { HOURLY: hourMs, DAILY: 24 * hourMs };

/** Start of the hour. */
export function startOfHour(time: Date): Date {
  return new Date(Math.floor(time.getTime() / hourMs) * hourMs);
}

/** Returns the end of the period that begins at `start`. A first period of a day may begin at any of its hours. */
export function endOfPeriod(start: Date, period: Period): Date {
  const lengthMs = lengthsMs[period];
  return new Date((Math.floor(start.getTime() / lengthMs) + 1) * lengthMs);
}

/** An object: a part of a dataset's period. */
export interface Part {
  readonly dataset: Dataset;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly part: number;
}

/** Returns the object's name below the prefix. Repeated uploads of a part have the same name. */
export function objectName({ dataset, periodStart, periodEnd, part }: Part): string {
  const text = periodStart.toISOString();
  const isHour = periodEnd.getTime() - periodStart.getTime() <= hourMs;
  const hour = isHour ? `/hour=${text.slice(11, 13)}` : "";
  return `${dataset.toLowerCase()}/dt=${text.slice(0, 10)}${hour}/part-${String(part).padStart(4, "0")}.jsonl.gz`;
}
