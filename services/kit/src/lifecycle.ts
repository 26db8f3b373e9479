// How a process ends: told by a signal, it says that it is not ready, waits until nobody is sent to it any more, ends
// what runs and closes what it holds. The budgets are the reliability page's.

import { flushLog, type Logger } from "./log.ts";
import { gauge } from "./telemetry/metrics.ts";

/** What was running may go on this long after the process stopped listening. */
export const inFlightTimeoutMs = 10_000;
/** The whole of a shutdown after the drain delay; past it the process ends as it is. */
const shutdownMs = 20_000;

/** Rejects while the part is missing. */
export type Check = () => Promise<void>;

/** A part that does not answer its check by then is as good as missing. */
const partMs = 500;
/** So is what the process cannot do without. A pool that is exhausted has said so by then. */
const checkMs = 3_000;
/** Metrics do not wait that long. */
const metricMs = 1_500;

const onReady = gauge({ name: "ems_ready", help: "1 while the process should be sent work.", labels: [] });

const onDegraded = gauge({
  name: "ems_degraded",
  help: "1 while the process goes on without a part that it uses.",
  labels: ["part"],
});

/** Whether the process should be sent work. */
export class Health {
  #draining = false;
  readonly #check: Check;
  readonly #parts: Readonly<Record<string, Check>>;

  /**
   * `check` fails while something that the process cannot do without is missing; `parts` are what it goes on without, such as
   * `{ nats: () => bus.check() }`.
   */
  constructor(check: Check, parts: Readonly<Record<string, Check>> = {}) {
    this.#check = check;
    this.#parts = parts;
    onReady(async () => [{ labels: {}, value: (await this.fault(metricMs)) === undefined ? 1 : 0 }]);
    if (Object.keys(parts).length === 0) return;
    onDegraded(async () => {
      const degraded = await this.degraded();
      return Object.keys(parts).map((part) => ({ labels: { part }, value: degraded.includes(part) ? 1 : 0 }));
    });
  }

  drain(): void {
    this.#draining = true;
  }

  /** The process stops soon, and wants no more work. */
  get isDraining(): boolean {
    return this.#draining;
  }

  /** Why the process is not ready; undefined when it is. */
  async fault(withinMs = checkMs): Promise<unknown> {
    if (this.#draining) return new Error("shutting down");
    const late = new Promise<Error>((resolve) => {
      setTimeout(resolve, withinMs, new Error(`no answer within ${withinMs} ms`)).unref();
    });
    const checked = this.#check().then(
      () => undefined,
      (fault: unknown) => fault ?? new Error("not ready"),
    );
    return Promise.race([checked, late]);
  }

  /** The names of the parts that are missing. */
  async degraded(): Promise<string[]> {
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, partMs, false).unref());
    const looked = Object.entries(this.#parts).map(async ([name, check]) => {
      const isThere = check().then(
        () => true,
        () => false,
      );
      return { name, isThere: await Promise.race([isThere, late]) };
    });
    return (await Promise.all(looked)).filter(({ isThere }) => !isThere).map(({ name }) => name);
  }
}

/** How often a process looks whether it is ready, for those who are told and do not ask. */
const lookMs = 1_000;

/**
 * Tells whether the process is ready: at once, and again every second. Answers when it has told for the first time how to
 * end that; what is looked for at that moment is not told any more.
 */
export async function pollReadiness(health: Health, tell: (isReady: boolean) => void): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async () => {
    const isReady = (await health.fault()) === undefined;
    if (isOver) return;
    tell(isReady);
    timer = setTimeout(look, lookMs);
  };
  await look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/**
 * What to do about errors that nobody handles, the same in every process: they are defects, after which nobody knows what
 * state the process is in. It says which and ends with 1; whoever started it starts it again. Whatever depends on clients,
 * receivers or peers has to be handled where it happens, so that no such thing can end a process.
 */
export function exitOnUncaughtException(log: Logger): void {
  process.on("uncaughtException", (error, origin) => {
    log.fatal({ err: error, origin }, "ended by an error that nobody handled");
    flushLog();
    process.exit(1);
  });
}

export interface StopOptions {
  readonly log: Logger;
  readonly drainDelayMs: number;
  readonly health: Health;
  /** Called at once, before the drain delay: tells whoever asks elsewhere than at `health`. */
  readonly onDrain?: () => void;
  /** Ends and closes everything, in order. */
  readonly stop: () => Promise<void>;
}

/**
 * Stops on SIGTERM, SIGINT or the end of the parent process that started it, and exits: 0 when all was closed in time,
 * 1 when not, or when a second signal says not to wait.
 */
export function stopOnSignal({ log, drainDelayMs, health, onDrain, stop }: StopOptions): void {
  let stopping = false;
  const exit = (code: number) => {
    flushLog();
    process.exit(code);
  };
  const onStop = (reason: string) => {
    if (stopping) {
      log.warn({ reason }, "second signal: not waiting");
      return exit(1);
    }
    stopping = true;
    log.info({ reason }, "stopping");
    health.drain();
    onDrain?.();
    setTimeout(() => exit(1), drainDelayMs + shutdownMs).unref();
    setTimeout(() => {
      stop().then(
        () => exit(0),
        (error: unknown) => {
          log.error({ err: error }, "stopping failed");
          exit(1);
        },
      );
    }, drainDelayMs);
  };
  process.on("SIGTERM", onStop);
  process.on("SIGINT", onStop);
  process.once("disconnect", () => onStop("parent gone"));
  // Listening alone would keep the process alive.
  process.channel?.unref();
}
