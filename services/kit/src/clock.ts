// The only access to time. Dates come from a `Clock`; ages, timeouts and deadlines use `monotonicMs`, which changes of
// the machine's clock do not affect.

/** The time, injected so that tests can control it. */
export interface Clock {
  now(): Date;
  /** Replaces the process's monotonic clock in tests. */
  monotonicMs?(): number;
  /** Milliseconds by which the machine's clock is ahead of the reference; negative if behind, 0 while unknown. */
  readonly skewMs?: number;
  /** Compares the machine's clock with the reference: PostgreSQL's clock, or identity's at the gateway. */
  compare?(reading: ClockReading): void;
}

/** Time of the reference, with the times of request and response. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  readonly referenceMs: number;
  /** `monotonicMs` before the request was sent. */
  readonly askedMs: number;
  /** `monotonicMs` after the response arrived. */
  readonly answeredMs: number;
}

const startMs = performance.timeOrigin;

/**
 * Returns the elapsed time in whole milliseconds, for timers and headers; changes of the machine's clock do not affect
 * it. It starts at the date of the process's start and is comparable only within the process.
 */
export function monotonicMs(clock?: Clock): number {
  return clock?.monotonicMs?.() ?? Math.floor(startMs + performance.now());
}

/** `monotonicMs` in the form that caches take. */
export const monotonic = { now: () => monotonicMs() };

/** Beyond this skew, in milliseconds, a process refuses work. */
export const skewMaxMs = 60_000;
/**
 * Up to this skew, in milliseconds, dates use the machine's clock; beyond it, the reference, so that rows and tokens
 * stay right.
 */
const followedMs = 1_000;

/**
 * The machine's clock, checked against a reference. A comparison with the monotonic clock detects a jump at once; dates
 * follow the reference until the machine's clock is right again.
 */
export class SystemClock implements Clock {
  readonly #wallMs: () => number;
  readonly #monotonicMs: () => number;
  /** Reference time minus `monotonicMs`; undefined before the first comparison. */
  #offsetMs: number | undefined;

  constructor(wallMs: () => number = () => Date.now(), monotonic: () => number = () => monotonicMs()) {
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonic;
  }

  now(): Date {
    return new Date(this.nowMs());
  }

  /** Returns milliseconds since 1970. */
  nowMs(): number {
    const { skewMs } = this;
    return Math.abs(skewMs) <= followedMs ? this.#wallMs() : Math.round(this.#wallMs() - skewMs);
  }

  get skewMs(): number {
    if (this.#offsetMs === undefined) return 0;
    return this.#wallMs() - this.#monotonicMs() - this.#offsetMs;
  }

  compare({ referenceMs, askedMs, answeredMs }: ClockReading): void {
    const ownMs = this.#wallMs() - this.#monotonicMs();
    // The reference read its clock between request and response: use the smallest difference that this allows.
    this.#offsetMs = Math.min(Math.max(ownMs, referenceMs - answeredMs), referenceMs - askedMs);
  }
}

export const systemClock = new SystemClock();

/** Returns the reason why the process refuses work; undefined while its clock is right. */
export function clockFault({ skewMs = 0 }: Clock): string | undefined {
  if (Math.abs(skewMs) <= skewMaxMs) return undefined;
  const difference = `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? "ahead of" : "behind"}`;
  return `clock_skew: the clock of this process is ${difference} that of PostgreSQL; set both by NTP`;
}
