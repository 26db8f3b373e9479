// Measures JSON in one scan of its bytes, before a value is allocated. JSON inside texts, which later readers parse, is
// counted too: at any depth, with any escaping of its quotes, each byte once.

export interface JsonMeasure {
  /** Number of lists, objects, their elements and members. */
  readonly values: number;
  /** Number of such values in JSON inside texts that begin like a list or an object. */
  readonly textValues: number;
  /** Depth of lists and objects outside texts; at most one more than allowed. */
  readonly depth: number;
  /** Index at which counting ended: of the first value above a limit, if there is one. */
  readonly index: number;
}

export interface MeasureLimits {
  /** Maximum number of values; counting ends at one more. */
  readonly values?: number;
  /** Maximum sum of the values and the values inside texts. */
  readonly allValues?: number;
  readonly depth?: number;
}

const noLimits: MeasureLimits = {};
const unlimited = Number.POSITIVE_INFINITY;

/** Counts commas and brackets outside of strings; in UTF-8, these bytes are never part of another character. */
export function measureJson(bytes: Uint8Array, limits = noLimits, start = 0, end = bytes.length): JsonMeasure {
  const { values: valuesMax = unlimited, allValues: allMax = unlimited, depth: depthMax = unlimited } = limits;
  const texts = new TextScan(bytes, end);
  let values = 1;
  let depth = 0;
  let deepest = 0;
  let index = start;
  for (; index < end; index++) {
    const byte = bytes[index];
    if (byte === quote) {
      index = beginsJson(bytes, index + 1, end)
        ? texts.scan(index + 1, allMax - values)
        : endOfText(bytes, index + 1, end);
      if (values + texts.values > allMax) break;
    } else if (byte === comma) {
      if (++values > valuesMax || values + texts.values > allMax) break;
    } else if (byte === openBrace || byte === openBracket) {
      if (++depth > deepest) deepest = depth;
      if (++values > valuesMax || values + texts.values > allMax || depth > depthMax) break;
    } else if (byte === closeBrace || byte === closeBracket) depth--;
  }
  return { values, textValues: texts.values, depth: deepest, index };
}

/**
 * Returns true if an object, outside of texts, has more than `max` names: parsing it takes several times as long as a
 * list.
 */
export function hasWideObject(bytes: Uint8Array, max: number): boolean {
  const names: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) index = endOfText(bytes, index + 1, bytes.length);
    else if (byte === openBrace || byte === openBracket) names.push(0);
    else if (byte === closeBrace || byte === closeBracket) names.pop();
    else if (byte === colon) {
      const count = (names.pop() ?? 0) + 1;
      if (count > max) return true;
      names.push(count);
    }
  }
  return false;
}

/** Returns true if a text from `index` on may be JSON with values: a list, an object, or a text of JSON. */
export function beginsJson(bytes: Uint8Array, index: number, end: number): boolean {
  let at = index;
  while (at < end) {
    const byte = bytes[at];
    if (byte === openBracket || byte === openBrace) return true;
    if (byte === space || byte === newline || byte === carriageReturn || byte === tab) at++;
    else if (byte !== backslash) return false;
    else {
      while (bytes[at] === backslash) at++;
      const escaped = bytes[at];
      if (escaped === quote) return true;
      if (escaped === letterU) {
        const code = hexadecimal(bytes, at + 1);
        if (code === openBracket || code === openBrace || code === quote) return true;
        if (code !== space && code !== newline && code !== carriageReturn && code !== tab) return false;
        at += 5;
      } else if (escaped === letterN || escaped === letterR || escaped === letterT) at++;
      else return false;
    }
  }
  return false;
}

const [quote, backslash, comma, colon, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\,:{}[]');
const [space, newline, carriageReturn, tab, letterU, letterN, letterR, letterT] = Buffer.from(" \n\r\tunrt");

/** Returns the index of the quote that ends the text; most bytes of a body are in plain texts. */
function endOfText(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  while (index < end && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1;
  return index;
}

/** Returns the index of the next quote or backslash, the only relevant bytes in a plain text. */
function endOfRun(bytes: Uint8Array, start: number, end: number): number {
  let index = start;
  while (index < end && bytes[index] !== quote && bytes[index] !== backslash) index++;
  return index;
}

/** Maximum nesting of texts: a text within n others needs 2^n backslashes. */
const levelsMax = 30;

/**
 * Scans a text that begins like JSON. The number of backslashes before a quote determines its nesting: none for the
 * text's own end, 1 for texts within it, then 3, then 7.
 */
class TextScan {
  values = 0;
  readonly #bytes: Uint8Array;
  readonly #end: number;
  /** Number of open texts, including the outermost, and a bit for each that begins like JSON. */
  #open = 0;
  #structured = 0;
  /**
   * True after a backslash written as `\u005c`: levels are unknown, and all commas and brackets count until the text
   * ends.
   */
  #isObscure = false;

  constructor(bytes: Uint8Array, end: number) {
    this.#bytes = bytes;
    this.#end = end;
  }

  /** Counts until the end of the text, or one more than `max`; returns the index of its closing quote. */
  scan(start: number, max: number): number {
    const bytes = this.#bytes;
    this.#open = 1;
    this.#structured = 1;
    this.#isObscure = false;
    let index = start;
    while (index < this.#end) {
      const byte = bytes[index];
      if (byte === quote) return index;
      if (byte === backslash) {
        index = this.#escape(index);
        if (!this.#isStructure()) index = endOfRun(bytes, index, this.#end);
      } else {
        if (byte === comma || byte === openBrace || byte === openBracket) {
          if (this.#isStructure() && ++this.values > max) return index;
        }
        index++;
      }
    }
    return index;
  }

  #isStructure(): boolean {
    return this.#isObscure || (this.#structured & (1 << (this.#open - 1))) !== 0;
  }

  /** Reads a run of backslashes and the escaped character; returns the index after it. */
  #escape(start: number): number {
    const bytes = this.#bytes;
    let index = start;
    while (bytes[index] === backslash) index++;
    const backslashes = index - start;
    const byte = bytes[index];
    if (byte === quote) {
      // After an even number of backslashes the quote is not escaped.
      if (backslashes % 2 === 0) return index;
      this.#quote(trailingOnes(backslashes), index + 1);
      return index + 1;
    }
    if (byte !== letterU) return backslashes % 2 === 0 ? index : index + 1;
    const code = hexadecimal(bytes, index + 1);
    const next = index + 5;
    if (code === quote) this.#quote(levelOfCode(backslashes), next);
    else if (code === backslash) this.#isObscure ||= this.#isStructure();
    else if ((code === comma || code === openBrace || code === openBracket) && this.#isStructure()) this.values++;
    return code === undefined ? index + 1 : next;
  }

  /** Handles a quote at `level`: it opens that text, or ends it with all open texts in it. */
  #quote(level: number, next: number): void {
    if (level < this.#open) this.#open = level;
    else if (level === this.#open && level < levelsMax && this.#isStructure()) {
      this.#open++;
      const bit = 1 << level;
      if (beginsJson(this.#bytes, next, this.#end)) this.#structured |= bit;
      else this.#structured &= ~bit;
    }
  }
}

/** Returns a quote's level: each level halves the number of backslashes before it, and consumes one. */
function trailingOnes(number: number): number {
  return 31 - Math.clz32(~number & -~number);
}

/** Level of a quote that is written as its code: an even run of backslashes is itself escaped. */
function levelOfCode(backslashes: number): number {
  let level = 0;
  let run = backslashes;
  while (run > 0 && run % 2 === 0) {
    run /= 2;
    level++;
  }
  return level + trailingOnes(run);
}

/** Value of four hexadecimal digits; undefined for anything else. */
function hexadecimal(bytes: Uint8Array, start: number): number | undefined {
  let code = 0;
  for (let index = start; index < start + 4; index++) {
    const byte = bytes[index] ?? 0;
    const digit = byte <= 57 ? byte - 48 : (byte | 32) - 87;
    if (digit < 0 || digit > 15 || (byte > 57 && digit < 10)) return undefined;
    code = code * 16 + digit;
  }
  return code;
}
