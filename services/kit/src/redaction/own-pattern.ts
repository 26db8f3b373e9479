// Patterns of applications, in RE2's semantics. A search is linear but may be slow: longer texts are searched in
// windows, and other work runs in between.

import { RE2JS } from "re2js";
import type { Range } from "./built-in/range.ts";

/** Maximum instructions of a compiled pattern, each of which may be tried at each character. */
const programMax = 128;
/** Maximum instructions × characters of one search: about 20 ms for the worst pattern. */
const workMax = 250_000;
/** Maximum length of a match that is always found across the end of a window. */
const overlap = 500;

/** Returns the pattern's error, if any. */
export function patternFault(pattern: string): string | undefined {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (error) {
    return `Not a pattern in RE2's syntax: ${error instanceof Error ? error.message : ""}`;
  }
  if (compiled.programSize() > programMax) {
    return `Too complex: at most ${programMax} instructions when compiled, has ${compiled.programSize()}`;
  }
  return compiled.test("") ? "Matches the empty text" : undefined;
}

export class OwnPattern {
  readonly #pattern: string;
  #compiled: RE2JS | undefined;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Finds all matches. Yields after each piece of work. */
  *find(text: string): Generator<void, Range[]> {
    this.#compiled ??= RE2JS.compile(this.#pattern);
    const window = Math.floor(workMax / this.#compiled.programSize());
    const ranges: Range[] = [];
    for (let from = 0; ; ) {
      const end = characterStart(text, from + window);
      const part = from === 0 && end === text.length ? text : text.slice(from, end);
      if (this.#compiled.test(part)) yield* this.#search(part, from, ranges);
      if (end === text.length) return ranges;
      from = characterStart(text, end - overlap);
      yield;
    }
  }

  *#search(part: string, from: number, ranges: Range[]): Generator<void> {
    const matcher = this.#compiled?.matcher(part);
    while (matcher?.find()) {
      if (matcher.end() > matcher.start()) ranges.push([from + matcher.start(), from + matcher.end()]);
      yield;
    }
  }

  /** Releases the states that long texts created. */
  release(): void {
    this.#compiled?.reset();
  }
}

/** Returns `index`, or the index before it if `index` is between the halves of a surrogate pair. */
function characterStart(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return /[\uDC00-\uDFFF]/.test(text.charAt(index)) && /[\uD800-\uDBFF]/.test(text.charAt(index - 1))
    ? index - 1
    : index;
}
