// Slow clients: detects a client that stops reading its response, or reads below a minimum rate.

export interface SlowClientLimits {
  /** Maximum time without progress. */
  readonly stallMs: number;
  /** Minimum rate while bytes are pending, enforced after the first `stallMs`. */
  readonly bytesPerSecondMin: number;
}

interface Sample {
  readonly ms: number;
  readonly sent: number;
}

export class SlowClientDetector {
  readonly #limits: SlowClientLimits;
  #start: Sample | undefined;
  #progress: Sample | undefined;

  constructor(limits: SlowClientLimits) {
    this.#limits = limits;
  }

  /** Samples a socket: bytes sent in its lifetime, and pending bytes. Returns the problem, if any. */
  sample(nowMs: number, { sent, pending }: { sent: number; pending: number }): "stalled" | "slow" | undefined {
    const now = { ms: nowMs, sent };
    if (pending === 0) {
      this.#start = undefined;
      this.#progress = undefined;
      return undefined;
    }
    this.#start ??= now;
    if (this.#progress === undefined || sent > this.#progress.sent) this.#progress = now;
    const { stallMs, bytesPerSecondMin } = this.#limits;
    if (nowMs - this.#progress.ms > stallMs) return "stalled";
    const measuredMs = nowMs - this.#start.ms - stallMs;
    return sent - this.#start.sent < (bytesPerSecondMin * measuredMs) / 1000 ? "slow" : undefined;
  }
}
