/** Whoever deletes hands each batch's number over, and waits: it is counted, and requests get their turn. */
export type OnDeleted = (rows: number) => Promise<void>;

/** Rows of a service that are kept for a number of days. `kind` names them in metrics and in the service's table `retention`. */
export interface Retained<Kind extends string = string> {
  readonly kind: Kind;
  /** Undefined: kept for ever. */
  readonly days: number | undefined;
  /** Deletes all that is older than `before`, in batches; ends at once when `onDeleted` rejects. Repeatable. */
  readonly clear: (before: Date, onDeleted: OnDeleted) => Promise<void>;
}

const dayMs = 86_400_000;

/** The border of what is kept: the first moment of a day of UTC. */
export function keptSince(now: Date, days: number): Date {
  return new Date((Math.floor(now.getTime() / dayMs) - days) * dayMs);
}

interface Uncleared {
  readonly now: Date;
  readonly days: number;
  /** In milliseconds; null where nothing was deleted yet. */
  readonly clearedBefore: number | null;
  readonly startedAt: Date;
}

/**
 * How long the first day that is not cleared has been past its retention. Of what is older than a first or smaller number of days
 * nobody knows since when: since the process knows of it.
 */
export function lagMs({ now, days, clearedBefore, startedAt }: Uncleared): number {
  const dueMs = clearedBefore === null ? Number.POSITIVE_INFINITY : clearedBefore + (days + 1) * dayMs;
  return now.getTime() - (dueMs <= now.getTime() ? dueMs : startedAt.getTime());
}

/** The beginning of a range of time within what is kept. */
export function notBefore(since: Date | undefined, from: Date | undefined): Date | undefined {
  return since !== undefined && (from === undefined || from < since) ? since : from;
}
