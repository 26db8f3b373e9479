// Background loops: work that a process does on its own, when it is due or when it is woken, until it is stopped.

import { ExponentialBackoff, halfJitterGenerator, type IBackoff } from "cockatiel";
import type { Logger } from "./log.ts";

export interface BackgroundLoop {
  /** Runs the work now, or once more after the run that is under way. A backoff is not cut short. */
  wake(): void;
  /** Resolves when no run is under way or due by a call of `wake`. */
  idle(): Promise<void>;
  /** Begins no further run; resolves when the one under way is over. */
  stop(): Promise<void>;
}

/** What a run leaves: more that is due at once, nothing for now, or a failure that it has logged itself. */
export type RunResult = "more" | "idle" | "failed";

export interface LoopOptions {
  /** As the log calls it: `<name> failed`. */
  readonly name: string;
  /** The pause after a run that left nothing to do, and the first backoff. */
  readonly everyMs: number;
  /** The longest backoff (exponential, with jitter) after failures in a row; by default `everyMs`. */
  readonly backoffMaxMs?: number;
  /** When the first run begins; by default at once. */
  readonly firstAfterMs?: number;
  readonly log: Logger;
  /** One run at a time. A rejection is logged and counts as `failed`; `stop` aborts the signal. */
  readonly work: (signal: AbortSignal) => Promise<RunResult>;
}

/** Does `work` until it finds nothing more, then again every `everyMs` or when woken. */
export function startLoop(options: LoopOptions): BackgroundLoop {
  return new Loop(options);
}

/** Does `work` every `everyMs`, for the first time after the first pause. */
export function runEvery(name: string, everyMs: number, work: () => Promise<void>, log: Logger): BackgroundLoop {
  return startLoop({ name, everyMs, firstAfterMs: everyMs, log, work: async () => work().then(() => "idle") });
}

class Loop implements BackgroundLoop {
  readonly #options: LoopOptions;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  /** Resolved when the loop comes to rest; undefined while it rests. */
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
