/** Called with each batch's row count; await it to yield to requests. */
export type OnDeleted = (rows: number) => Promise<void>;

/**
 * Rows that a service stores for a number of days. `kind` names them in metrics and in the service's table `retention`.
 */
export interface Retained<Kind extends string = string> {
  readonly kind: Kind;
  /** Retention in days; undefined means no limit. */
  readonly days: number | undefined;
  /** Deletes all rows older than `before`, in batches; ends at once when `onDeleted` rejects. Idempotent. */
  readonly clear: (before: Date, onDeleted: OnDeleted) => Promise<void>;
}

const dayMs = 86_400_000;

/** Start of the retention period: midnight of a UTC day. */
export function keptSince(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - days) * dayMs);
}

interface Uncleared {
  readonly now: Date;
  readonly days: number;
  /** Rows before this time, in milliseconds, were deleted; null if nothing was deleted yet. */
  readonly clearedBefore: number | null;
  readonly startedAt: Date;
}

/**
 * Age of the oldest day that is past its retention and not cleared. If no day was cleared yet, or if the number of days
 * was reduced, the age is measured from the start of the process.
 */
export function lagMs({ now, days, clearedBefore, startedAt }: Uncleared): number {
  const dueMs = clearedBefore === null ? Number.POSITIVE_INFINITY : clearedBefore + (days + 1) * dayMs;
  return now.getTime() - (dueMs <= now.getTime() ? dueMs : startedAt.getTime());
}

/** Limits the start of a time range to the retention period. */
export function notBefore(since: Date | undefined, from: Date | undefined): Date | undefined {
  return since !== undefined && (from === undefined || from < since) ? since : from;
}
