// Backoff with jitter. Pure: randomness and time are parameters.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The delay before each attempt, in milliseconds. */
export const schedule: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Jitter: failures at the same time do not retry at the same time. */
const jitter = 0.2;

export interface Backoff {
  /** Attempts of the schedule that were made: 1 or more. */
  readonly step: number;
  /** 0 or more, less than 1. */
  readonly random: number;
  /** `Retry-After`, if the receiver sent it. */
  readonly retryAfterMs?: number | undefined;
}

/** The delay before the next attempt, in milliseconds; `Retry-After` may lengthen it up to twice the planned delay. */
export function waitMs({ step, random, retryAfterMs = 0 }: Backoff): number {
  const plannedMs = (schedule[step] ?? schedule.at(-1) ?? 0) * (1 + jitter * (2 * random - 1));
  return Math.round(Math.min(Math.max(plannedMs, retryAfterMs), 2 * plannedMs));
}

/** Statuses whose `Retry-After` is honoured. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** `Retry-After`, seconds or an HTTP date, in milliseconds from `now`. */
export function retryAfterMs(status: number, header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (!busyStatuses.has(status) || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * second;
  // HTTP dates start with a weekday; Date.parse would accept other formats too.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
