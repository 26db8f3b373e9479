import { errorFacts, type Logger } from "@ems/kit/log";
import { pino } from "pino";

/** A logger of every level whose lines a test can read. */
export function capturedLog(): { readonly log: Logger; readonly text: () => string } {
  const lines: string[] = [];
  const log = pino(
    { level: "trace", serializers: { err: errorFacts } },
    { write: (line: string) => void lines.push(line) },
  );
  return { log, text: () => lines.join("") };
}
