// When a delivery is attempted again. Pure: randomness and time are given.

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after the attempt before it each attempt is due, in milliseconds. */
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

/** Each wait is up to this part shorter or longer, so that what failed together does not come back together. */
const spread = 0.2;

export interface Waited {
  /** How many attempts of the schedule are over: 1 or more. */
  readonly step: number;
  /** 0 or more, less than 1. */
  readonly random: number;
  /** How long the receiver asked to be left alone, if it did. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * How long to wait for the next attempt, in milliseconds. A receiver may ask for longer than is planned, up to twice as long.
 */
export function waitMs({ step, random, retryAfterMs = 0 }: Waited): number {
  const plannedMs = (schedule[step] ?? schedule.at(-1) ?? 0) * (1 + spread * (2 * random - 1));
  return Math.round(Math.min(Math.max(plannedMs, retryAfterMs), 2 * plannedMs));
}

/** Answers that may say when to come back. */
const busyStatuses: ReadonlySet<number> = new Set([429, 503]);

/** What `Retry-After` of an answer with `status` asks for, in milliseconds from `now`: seconds, or a date. */
export function retryAfterMs(status: number, header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (!busyStatuses.has(status) || text === "") return undefined;
  if (/^\d+$/.test(text)) return Number(text) * second;
  // Dates of HTTP name their day; others that a parser would take are no dates here.
  const at = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime());
}
