// The only door to time. Dates come from a `Clock`; ages, timeouts and deadlines are measured by `monotonicMs`, which no
// change of the machine's clock moves.

/** The time, injected so that tests can control it. */
export interface Clock {
  now(): Date;
  /** The monotonic clock of a test; absent: the process's. */
  monotonicMs?(): number;
  /** Milliseconds by which the machine's clock is ahead of the reference, negative when it is behind; 0 while unknown. */
  readonly skewMs?: number;
  /** Compares the machine's clock with the reference: PostgreSQL's, or at the gateway that of identity. */
  compare?(reading: ClockReading): void;
}

/** The reference's time, and when it was asked for. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  readonly referenceMs: number;
  /** By `monotonicMs`, before the question was sent. */
  readonly askedMs: number;
  /** By `monotonicMs`, after the answer arrived. */
  readonly answeredMs: number;
}

const startMs = performance.timeOrigin;

/**
 * Returns whole milliseconds, as timers and headers take them, that only elapsing time changes. They begin at the date of the
 * process's start and are compared only within the process.
 */
export function monotonicMs(clock?: Clock): number {
  return clock?.monotonicMs?.() ?? Math.floor(startMs + performance.now());
}

/** `monotonicMs` as caches take their clock. */
export const monotonic = { now: () => monotonicMs() };

/** Beyond this skew a process refuses work. */
export const skewMaxMs = 60_000;
/** Up to this skew dates are the machine's; beyond it they are the reference's, so that rows and tokens stay right. */
const followedMs = 1_000;

/**
 * The machine's clock, checked against a reference. A jump is noticed at once by comparing it with the monotonic clock, and
 * dates follow the reference until the machine's clock is right again.
 */
export class SystemClock implements Clock {
  readonly #wallMs: () => number;
  readonly #monotonicMs: () => number;
  /** The reference's time minus `monotonicMs`; undefined before the first comparison. */
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
    // The reference read its clock between question and answer: the least difference that this allows.
    this.#offsetMs = Math.min(Math.max(ownMs, referenceMs - answeredMs), referenceMs - askedMs);
  }
}

export const systemClock = new SystemClock();

/** Returns why the process refuses work; undefined while its clock is right. */
export function clockFault({ skewMs = 0 }: Clock): string | undefined {
  if (Math.abs(skewMs) <= skewMaxMs) return undefined;
  const difference = `${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? "ahead of" : "behind"}`;
  return `clock_skew: the clock of this process is ${difference} that of PostgreSQL; set both by NTP`;
}
