// Logs: JSON lines on stderr, because stdout is data. Never a key, a secret, a header value or an e-mail's text.

import { type Logger, pino } from "pino";

export type { Logger } from "pino";

const destination = pino.destination({ fd: 2, sync: false, minLength: 0 });

/** The log of one process or, in one process, of one part of it. */
export function createLog(name: string, level: string): Logger {
  return pino({ name, level, base: { name }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** Writes what is still held back; before an exit. */
export function flushLog(): void {
  try {
    destination.flushSync();
  } catch {
    // The destination was never opened, or stderr is gone: nobody is left to tell.
  }
}
