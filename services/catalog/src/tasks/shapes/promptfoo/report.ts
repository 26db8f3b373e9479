// Report on imported tests: waiting parts with their places, and notes. Pure.

import type { YamlLines } from "@ems/kit/readers";
import type { Waiting } from "../record.ts";

/** Place of a test in its file. */
export interface Place {
  readonly row: number;
  /** Path within the document. */
  readonly path: string;
  /** Folder of its file. */
  readonly folder?: string;
}

const notesMax = 20;

export class Report {
  readonly #waiting = new Map<string, Waiting>();
  readonly #notes = new Set<string>();
  readonly #lines: YamlLines[];
  #file: string | undefined;

  constructor(lines: YamlLines) {
    this.#lines = [lines];
  }

  get waiting(): Waiting[] {
    return [...this.#waiting.values()];
  }

  get notes(): string[] {
    return [...this.#notes];
  }

  /** Reports from another file, whose rows are meant until `read` ends. */
  within<T>(file: string, lines: YamlLines, read: () => T): T {
    const before = this.#file;
    this.#lines.push(lines);
    this.#file = file;
    try {
      return read();
    } finally {
      this.#file = before;
    }
  }

  line(within: object, key: string | number, otherwise = 0): number {
    for (const lines of this.#lines) {
      const line = lines.get(within)?.get(key);
      if (line !== undefined) return line;
    }
    return otherwise;
  }

  /** Gives a changed copy of an object the lines of the original. */
  copyLines(original: object, copy: object): void {
    const lines = this.#lines.map((each) => each.get(original)).find((each) => each !== undefined);
    if (lines !== undefined) this.#lines[0]?.set(copy, lines);
  }

  wait(row: number, field: string, message: string): void {
    const whole = this.#named(message);
    // An assertion of the default test waits once, not once per test.
    const key = row === 0 ? `${field}\n${whole}` : `${row}\n${whole}`;
    if (!this.#waiting.has(key)) this.#waiting.set(key, { row, field, message: whole });
  }

  note(text: string): void {
    if (this.#notes.size < notesMax) this.#notes.add(this.#named(text));
  }

  #named(text: string): string {
    return this.#file === undefined ? text : `${this.#file}: ${text}`;
  }
}
