// Logs: JSON lines on stderr, because stdout is data. Never log keys, secrets, header values or texts of e-mails.

import { type Logger, pino } from "pino";
import { LogDestination } from "./log-destination.ts";
import { currentTraceId } from "./telemetry/trace.ts";

export type { Logger } from "pino";

const destination = new LogDestination(process.stderr.fd);
// Ignore errors: other output of a program, such as its progress, may also be lost.
process.stderr.on("error", () => undefined);

/** Creates the log of a process, or of a service within one. */
export function createLog(name: string, level: string): Logger {
  const options = {
    name,
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: errorFacts },
    mixin() {
      const traceId = currentTraceId();
      return traceId === undefined ? {} : { traceId };
    },
  };
  return pino(options, destination);
}

/**
 * Returns the loggable fields of an error: other properties of library errors contain connections with secrets, and SQL
 * with values.
 */
export function errorFacts(error: unknown, depth = 3): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? error : typeof error;
  const { name, message, stack, cause } = error;
  const code =
    "code" in error && (typeof error.code === "string" || typeof error.code === "number") ? error.code : undefined;
  return {
    type: name,
    message,
    code,
    stack,
    ...(cause !== undefined && depth > 0 && { cause: errorFacts(cause, depth - 1) }),
  };
}

/** Writes lines of another process, which end with a newline, to the log. */
export function writeLog(lines: string | Uint8Array): void {
  destination.write(lines);
}

/** Writes waiting lines before an exit. */
export function flushLog(): void {
  destination.flushSync();
}
