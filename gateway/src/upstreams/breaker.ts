// The circuit breaker of a service. Its times are monotonic: cockatiel's circuit, which is dated by the machine's clock, stays
// open for an hour when that clock was an hour ahead for a moment.

import { type Clock, monotonicMs } from "@ems/kit/clock";

export interface BreakerOptions {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** How long it stays open before a call probes. */
  readonly openMs: number;
  readonly isFailure: (error: unknown) => boolean;
  /** The error of a call that is refused. */
  readonly refusal: () => Error;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** Absent: the process's monotonic clock. */
  readonly clock?: Clock;
}

/** Failures within this time may be the calls of one crashed replica; the next call goes to another one. */
const failureSpanMinMs = 500;

/** Opens after consecutive failures that span a minimum time; one call at a time probes whether it may close. */
export class Breaker {
  readonly #options: BreakerOptions;
  #state: "closed" | "open" | "probing" = "closed";
  #failures = 0;
  #firstFailureMs = 0;
  #openedMs = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    const isProbe = this.#state !== "closed";
    if (isProbe) this.#beginProbe();
    try {
      const response = await call();
      this.#succeed(isProbe);
      return response;
    } catch (error) {
      if (this.#options.isFailure(error)) this.#fail(isProbe);
      else this.#succeed(isProbe);
      throw error;
    }
  }

  #beginProbe(): void {
    const isDue = this.#state === "open" && this.#nowMs() - this.#openedMs >= this.#options.openMs;
    if (!isDue) throw this.#options.refusal();
    this.#state = "probing";
  }

  /** A call that began before the circuit opened says nothing of the service now. */
  #succeed(isProbe: boolean): void {
    this.#failures = 0;
    if (!isProbe) return;
    this.#state = "closed";
    this.#options.onClose();
  }

  #fail(isProbe: boolean): void {
    if (!isProbe && this.#state !== "closed") return;
    if (this.#failures === 0) this.#firstFailureMs = this.#nowMs();
    this.#failures += 1;
    const isSustained =
      this.#failures >= this.#options.failures && this.#nowMs() - this.#firstFailureMs >= failureSpanMinMs;
    if (!isProbe && !isSustained) return;
    this.#state = "open";
    this.#openedMs = this.#nowMs();
    this.#options.onOpen();
  }

  #nowMs(): number {
    return monotonicMs(this.#options.clock);
  }
}
