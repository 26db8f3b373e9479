// The lifecycle of a process: it reports where it listens, exits on uncaught exceptions, and shuts down gracefully.

import type { Health } from "./health.ts";
import { flushLog, type Logger } from "./log.ts";

/** How long calls in flight may run after the process has stopped listening. */
export const inFlightTimeoutMs = 10_000;
/** The time of a shutdown after the drain delay; then the process exits as it is. */
const shutdownTimeoutMs = 20_000;

/** Ports that were configured as 0 are real ones here. */
export interface Listening {
  readonly port: number;
  readonly adminUrl: string;
  /** Of the gateway, unless it is off. */
  readonly grpcPort?: number | undefined;
}

/** Reports to the parent process, when it is one of the product's launchers. */
export function reportListening(listening: Listening): void {
  process.send?.(listening);
}

/**
 * Exits with 1 on an unhandled error: the state of the process is unknown, and its supervisor restarts it. Failures of
 * clients, receivers and peers must therefore be handled where they happen.
 */
export function exitOnUncaughtException(log: Logger): void {
  process.on("uncaughtException", (error, origin) => {
    log.fatal({ err: error, origin }, "exiting after an uncaught exception");
    flushLog();
    process.exit(1);
  });
}

export interface StopOptions {
  readonly log: Logger;
  readonly drainDelayMs: number;
  readonly health: Health;
  /** Called before the drain delay, to report "not ready" elsewhere than at `health`. */
  readonly onDrain?: () => void;
  /** Stops and closes everything, in order. */
  readonly stop: () => Promise<void>;
}

/**
 * Shuts down on SIGTERM, SIGINT or the end of the parent process. Exits with 0 when all was closed in time, with 1
 * otherwise or at a second signal.
 */
export function stopOnSignal({ log, drainDelayMs, health, onDrain, stop }: StopOptions): void {
  let isStopping = false;
  const exit = (code: number) => {
    flushLog();
    process.exit(code);
  };
  const onStop = (reason: string) => {
    if (isStopping) {
      log.warn({ reason }, "second signal: exiting at once");
      return exit(1);
    }
    isStopping = true;
    log.info({ reason }, "stopping");
    health.drain();
    onDrain?.();
    setTimeout(() => exit(1), drainDelayMs + shutdownTimeoutMs).unref();
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
  // The listener of `disconnect` would keep the process alive.
  process.channel?.unref();
}
