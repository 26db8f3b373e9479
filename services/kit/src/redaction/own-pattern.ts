// Patterns of applications, in RE2's semantics. A search is linear, but not quick for every pattern: longer texts are searched in windows,
// between which others have their turn.

import { RE2JS } from "re2js";
import type { Range } from "./built-in/range.ts";

/** Instructions of a compiled pattern, each of which may be tried at each character. */
const programMax = 128;
/** Instructions × characters of one search: about 20 ms for the worst of patterns. */
const workMax = 250_000;
/** What a match may be longer than and still be found across the end of a window. */
const overlap = 500;

/** What is wrong with the pattern, if anything. */
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

  /** Where the text matches. Yields after each piece of work. */
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

  /** Forgets the states that long texts made. */
  release(): void {
    this.#compiled?.reset();
  }
}

/** At or before the index: not between the halves of a character. */
function characterStart(text: string, index: number): number {
  if (index >= text.length) return text.length;
  return /[\uDC00-\uDFFF]/.test(text.charAt(index)) && /[\uD800-\uDBFF]/.test(text.charAt(index - 1))
    ? index - 1
    : index;
}
