// Background loops: work that a process runs when it is due or woken, until it is stopped.

import { ExponentialBackoff, halfJitterGenerator, type IBackoff } from "cockatiel";
import type { Logger } from "./log.ts";

export interface BackgroundLoop {
  /** Runs the work now, or once more after the current run. Does not shorten a backoff. */
  wake(): void;
  /** Resolves when no run is in progress or requested by `wake`. */
  idle(): Promise<void>;
  /** Starts no further run; resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** Result of a run: more work is due now, nothing is due, or a failure that the run has logged. */
export type RunResult = "more" | "idle" | "failed";

export interface LoopOptions {
  /** Name in the log: `<name> failed`. */
  readonly name: string;
  /** Pause after an idle run. It is also the first backoff. */
  readonly everyMs: number;
  /** Maximum backoff (exponential, with jitter) after consecutive failures; by default `everyMs`. */
  readonly backoffMaxMs?: number;
  /** Delay of the first run; by default none. */
  readonly firstAfterMs?: number;
  readonly log: Logger;
  /** Called for one run at a time. A rejection is logged and counts as `failed`; `stop` aborts the signal. */
  readonly work: (signal: AbortSignal) => Promise<RunResult>;
}

/** Runs `work` until no work is left, then again every `everyMs` or when woken. */
export function startLoop(options: LoopOptions): BackgroundLoop {
  return new Loop(options);
}

/** Runs `work` every `everyMs`, first after the first pause. */
export function runEvery(name: string, everyMs: number, work: () => Promise<void>, log: Logger): BackgroundLoop {
  return startLoop({ name, everyMs, firstAfterMs: everyMs, log, work: async () => work().then(() => "idle") });
}

class Loop implements BackgroundLoop {
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  /** Resolves when the loop becomes idle; undefined while it is idle. */
  #busy: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
  #isWoken = false;
  #endPause: (() => void) | undefined;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#ended = this.#run();
  }

  wake(): void {
    this.#isWoken = true;
    this.#endPause?.();
  }

  async idle(): Promise<void> {
    while (this.#busy !== undefined) await this.#busy.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { everyMs, backoffMaxMs = everyMs, firstAfterMs = 0 } = this.#options;
    const first = new ExponentialBackoff({
      initialDelay: everyMs,
      maxDelay: backoffMaxMs,
      generator: halfJitterGenerator,
    });
    let backoff: IBackoff<unknown> | undefined;
    if (firstAfterMs > 0) await this.#pause(firstAfterMs, true);
    while (!this.#stopping.signal.aborted) {
      this.#isWoken = false;
      const result = await this.#attempt();
      backoff = result === "failed" ? (backoff ?? first).next(undefined) : undefined;
      if (result !== "more") await this.#pause(backoff?.duration ?? everyMs, backoff === undefined);
    }
    this.#rest();
  }

  async #attempt(): Promise<RunResult> {
    const { name, log, work } = this.#options;
    try {
      return await work(this.#stopping.signal);
    } catch (error) {
      log.error({ err: error }, `${name} failed`);
      return "failed";
    }
  }

  async #pause(ms: number, mayBeWoken: boolean): Promise<void> {
    const { signal } = this.#stopping;
    if (signal.aborted || (this.#isWoken && mayBeWoken)) return;
    this.#rest();
    const over = Promise.withResolvers<void>();
    const end = () => {
      this.#busy ??= Promise.withResolvers();
      over.resolve();
    };
    const timer = setTimeout(end, ms).unref();
    signal.addEventListener("abort", end, { once: true });
    if (mayBeWoken) this.#endPause = end;
    await over.promise;
    this.#endPause = undefined;
    signal.removeEventListener("abort", end);
    clearTimeout(timer);
  }

  #rest(): void {
    this.#busy?.resolve();
    this.#busy = undefined;
  }
}
