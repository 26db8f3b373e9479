// Lifecycle of a process: it reports its ports, exits on uncaught exceptions, and shuts down gracefully.

import type { Health } from "./health.ts";
import { flushLog, type Logger } from "./log.ts";

/** Maximum duration of calls in progress after the process has stopped listening. */
export const inFlightTimeoutMs = 10_000;
/** Maximum duration of a shutdown after the drain delay; then the process exits. */
const shutdownTimeoutMs = 20_000;

/** Ports of the process; a port that was configured as 0 is the real one here. */
export interface Listening {
  readonly port: number;
  readonly adminUrl: string;
  /** Port for gRPC; set only at the gateway, unless the port is off. */
  readonly grpcPort?: number | undefined;
}

/** Reports to the parent process if it is one of the product's launchers. */
export function reportListening(listening: Listening): void {
  process.send?.(listening);
}

/**
 * Exits with 1 on an unhandled error: the state of the process is unknown, and its supervisor restarts it. Errors of
 * clients, receivers and peers must therefore be handled locally.
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
  /** Called before the drain delay, to report "not ready" outside of `health`. */
  readonly onDrain?: () => void;
  /** Stops and closes all parts, in order. */
  readonly stop: () => Promise<void>;
}

/**
 * Shuts down on SIGTERM, SIGINT or the end of the parent process. Exits with 0 if everything was closed in time, with 1
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
  // The `disconnect` listener would keep the process alive.
  process.channel?.unref();
}
