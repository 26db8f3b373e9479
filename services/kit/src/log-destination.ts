// Destination of log lines: a file descriptor whose disk may be full, or whose reader may be gone. Lines that cannot be
// written are dropped and counted, and reported when the descriptor accepts lines again. Pino's own destination keeps
// all of them in memory after an error, and repeats a synchronous write forever.

import { write, writeSync } from "node:fs";
import { systemClock } from "./clock.ts";
import { counter } from "./telemetry/metrics.ts";

/** Maximum memory for lines that wait for a slow reader. */
const waitingBytesMax = 8 * 1024 ** 2;
/** Size that a container engine reads at once. */
const chunkBytes = 16_384;
const retryMs = 1_000;
const busyRetryMs = 100;
/** Maximum retries of a flush, which runs before an exit and must not wait for a hung reader. */
const busyRetriesMax = 10;

const countLost = counter({
  name: "ems_log_lines_lost_total",
  help: "Log lines that could not be written, by error code (such as ENOSPC); full: the reader is too slow.",
  labels: ["reason"],
  zeros: [{ reason: "ENOSPC" }, { reason: "EPIPE" }, { reason: "full" }],
});

export class LogDestination {
  readonly #fd: number;
  readonly #waitingMax: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  /** Error of the last write; undefined while lines can be written. */
  #failure: string | undefined;
  #lost = 0;
  #lostReason = "";
  /** True if a line was cut in the middle. */
  #isCut = false;

  constructor(fd: number, waitingMax = waitingBytesMax) {
    this.#fd = fd;
    this.#waitingMax = waitingMax;
  }

  /** Writes complete lines, each with its newline. Never throws. */
  write(text: string | Uint8Array): void {
    const line = typeof text === "string" ? Buffer.from(text) : Buffer.from(text);
    const isFull = this.#waitingBytes + line.length > this.#waitingMax;
    if (this.#failure !== undefined || isFull) this.#lose(linesIn(line), this.#failure ?? "full");
    else this.#wait(line);
    this.#writeNext();
  }

  /** Writes waiting lines before an exit. Drops those that cannot be written soon. */
  flushSync(): void {
    let rest = Buffer.concat(this.#waiting.splice(0));
    this.#waitingBytes = 0;
    for (let busy = 0; rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest));
      } catch (error) {
        const code = getCode(error);
        if (!isBusy(code) || busy >= busyRetriesMax) {
          this.#lose(linesIn(rest), code);
          return;
        }
        busy += 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyRetryMs);
      }
    }
  }

  #writeNext(): void {
    if (this.#isWriting) return;
    const reported = this.#lost;
    if (reported === 0 && this.#waiting.length === 0) return;
    this.#isWriting = true;
    if (reported > 0) this.#writeRest(this.#report(), reported);
    else this.#writeRest(this.#nextChunk(), 0);
  }

  #nextChunk(): Buffer {
    let count = 0;
    for (let bytes = 0; count < this.#waiting.length && bytes < chunkBytes; count += 1)
      bytes += this.#waiting[count]?.length ?? 0;
    const chunk = Buffer.concat(this.#waiting.splice(0, count));
    this.#waitingBytes -= chunk.length;
    return chunk;
  }

  /** Writes the rest of a chunk, or of a report of `reported` lost lines. A success ends the failure. */
  #writeRest(rest: Buffer, reported: number): void {
    write(this.#fd, rest, (error, written) => {
      if (isBusy(error?.code)) setTimeout(() => this.#writeRest(rest, reported), busyRetryMs).unref();
      else if (error !== null) this.#fail(reported > 0 ? 0 : linesIn(rest), getCode(error));
      else this.#continue(rest, written, reported);
    });
  }

  #continue(rest: Buffer, written: number, reported: number): void {
    if (written > 0) this.#isCut = rest[written - 1] !== newline;
    if (written < rest.length) {
      this.#writeRest(rest.subarray(written), reported);
      return;
    }
    this.#lost -= reported;
    this.#isWriting = false;
    this.#failure = undefined;
    this.#writeNext();
  }

  /** Drops waiting lines. The report of lost lines is the next write, after a pause. */
  #fail(lines: number, code: string): void {
    const dropped = this.#waiting.splice(0).reduce((sum, line) => sum + linesIn(line), lines);
    this.#waitingBytes = 0;
    this.#failure = code;
    if (dropped > 0) this.#lose(dropped, code);
    setTimeout(() => {
      this.#isWriting = false;
      this.#writeNext();
    }, retryMs).unref();
  }

  #wait(line: Buffer): void {
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
  }

  #report(): Buffer {
    const facts = { level: 40, time: systemClock.now().toISOString(), name: "log" };
    const line = { ...facts, lost: this.#lost, reason: this.#lostReason, msg: "log lines could not be written" };
    return Buffer.from(`${this.#isCut ? "\n" : ""}${JSON.stringify(line)}\n`);
  }

  #lose(lines: number, reason: string): void {
    this.#lost += lines;
    this.#lostReason = reason;
    countLost({ reason }, lines);
  }
}

const newline = 10;

function linesIn(buffer: Buffer): number {
  let lines = 0;
  for (let at = buffer.indexOf(newline); at >= 0; at = buffer.indexOf(newline, at + 1)) lines += 1;
  return lines;
}

const isBusy = (code: string | undefined) => code === "EAGAIN" || code === "EBUSY";

const getCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
