import type { Logger } from "@ems/kit/log";

/**
 * Work that is asked for again and again: done once at a time, and not again before `gapMs` are over. What is asked for
 * while it is being done, or too early, is one more turn.
 */
export class Throttle {
  readonly #work: () => Promise<void>;
  readonly #gapMs: number;
  readonly #log: Logger;
  #lastMs = Number.NEGATIVE_INFINITY;
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /** A turn that fails is logged, and over. */
  constructor(gapMs: number, log: Logger, work: () => Promise<void>) {
    this.#gapMs = gapMs;
    this.#log = log;
    this.#work = work;
  }

  ask(): void {
    this.#isAsked = true;
    if (this.#running !== undefined || this.#timer !== undefined) return;
    const waitMs = this.#lastMs + this.#gapMs - performance.now();
    if (waitMs > 0) this.#timer = setTimeout(() => this.#run(), waitMs);
    else this.#run();
  }

  /** Asks for no more turns; ends when the one that is being done has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isAsked = false;
    await this.#running;
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#timer = undefined;
    this.#isAsked = false;
    this.#lastMs = performance.now();
    this.#running = this.#turn().finally(() => {
      this.#running = undefined;
      if (this.#isAsked) this.ask();
    });
  }

  async #turn(): Promise<void> {
    try {
      await this.#work();
    } catch (error) {
      this.#log.error({ err: error }, "work on deliveries failed");
    }
  }
}
