/** Returns the start of the month in UTC, which selects the partition of the steps. */
export function getMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
}
