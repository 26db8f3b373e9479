// Periods of budgets, in UTC.

export const periods = ["day", "month"] as const;
export type Period = (typeof periods)[number];

export function getStart(period: Period, at: Date): Date {
  const day = period === "day" ? at.getUTCDate() : 1;
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), day));
}

export function getEnd(period: Period, at: Date): Date {
  const start = getStart(period, at);
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  return new Date(period === "day" ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1, 1));
}
