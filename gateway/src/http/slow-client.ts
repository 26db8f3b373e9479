// Slow readers: whether a client takes what is sent to it. A stall is cut soon; a drip, when it stays below a minimum rate.

export interface TakingLimits {
  /** Without any progress for so long. */
  readonly stallMs: number;
  /** Over the whole time that something waits to be taken, after a first `stallMs`. */
  readonly bytesPerSecondMin: number;
}

interface Look {
  readonly ms: number;
  readonly taken: number;
}

export class Taking {
  readonly #limits: TakingLimits;
  #start: Look | undefined;
  #progress: Look | undefined;

  constructor(limits: TakingLimits) {
    this.#limits = limits;
  }

  /** One look at a socket: how many bytes it took in its life, and how many wait. Answers what is wrong, if something is. */
  look(nowMs: number, { taken, waiting }: { taken: number; waiting: number }): "stalled" | "slow" | undefined {
    const now = { ms: nowMs, taken };
    if (waiting === 0) {
      this.#start = undefined;
      this.#progress = undefined;
      return undefined;
    }
    this.#start ??= now;
    if (this.#progress === undefined || taken > this.#progress.taken) this.#progress = now;
    const { stallMs, bytesPerSecondMin } = this.#limits;
    if (nowMs - this.#progress.ms > stallMs) return "stalled";
    const countedMs = nowMs - this.#start.ms - stallMs;
    return taken - this.#start.taken < (bytesPerSecondMin * countedMs) / 1000 ? "slow" : undefined;
  }
}
