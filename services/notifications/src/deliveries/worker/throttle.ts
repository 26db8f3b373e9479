import type { Logger } from "@ems/kit/log";

/** Throttle: runs the work serially and at most once per `gapMs`. All triggers in between cause one more run. */
export class Throttle {
  readonly #work: () => Promise<void>;
  readonly #gapMs: number;
  readonly #log: Logger;
  #lastMs = Number.NEGATIVE_INFINITY;
  #isTriggered = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** Logs a run that fails. */
  constructor(gapMs: number, log: Logger, work: () => Promise<void>) {
    this.#gapMs = gapMs;
    this.#log = log;
    this.#work = work;
  }

  trigger(): void {
    this.#isTriggered = true;
    if (this.#running !== undefined || this.#timer !== undefined) return;
    const waitMs = this.#lastMs + this.#gapMs - performance.now();
    if (waitMs > 0) this.#timer = setTimeout(() => this.#run(), waitMs);
    else this.#run();
  }

  /** Drops pending triggers; resolves when the current run has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isTriggered = false;
    await this.#running;
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#timer = undefined;
    this.#isTriggered = false;
    this.#lastMs = performance.now();
    this.#running = this.#work()
      .catch((error: unknown) => this.#log.error({ err: error }, "work on deliveries failed"))
      .finally(() => {
        this.#running = undefined;
        if (this.#isTriggered) this.trigger();
      });
  }
}
