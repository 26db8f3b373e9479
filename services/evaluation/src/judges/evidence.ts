// Checks evidence: a quote is valid only if its source text contains it. Models change case, white space, quotation
// marks and dashes, and leave parts out with an ellipsis; the result is the text of the source.

import { indexOf } from "@ems/assertions";
import { normalized } from "@ems/kit/normalize";
import { blockCharsMax, joinEnds } from "./truncate.ts";

/** Returns the passage of the source text that a quote means; undefined if the text does not contain it. */
export type FindQuote = (quote: string) => string | undefined;

/** Stands for the part of a long text that the model did not see. No quote contains it. */
const gap = "\0";
/** A longer passage between the parts of a shortened quote is left out. */
const passageMax = 1_000;

/** Creates a finder for a text, of which the model saw at most `charsMax` characters. */
export function createQuoteFinder(whole: string, charsMax = blockCharsMax): FindQuote {
  const text = joinEnds(whole, charsMax, () => gap);
  let folded: Folded | undefined;
  return (quote) => {
    if (isLiteral(text, quote)) return quote;
    folded ??= fold(text);
    const source = folded;
    const found = find(source, quote, 0);
    if (found !== undefined) return text.slice(found.start, found.end);
    const parts = quote.replace(/\s+/g, " ").split(ellipsis).map(trimmed);
    const passages: Passage[] = [];
    for (const part of parts.filter((each) => each !== "")) {
      if (!/[\p{L}\p{N}]/u.test(part)) return undefined;
      const from = passages.at(-1)?.next ?? 0;
      const passage = find(source, part, from) ?? find(source, part.replace(/[.,;:!?]+$/, ""), from);
      if (passage === undefined) return undefined;
      passages.push(passage);
    }
    const [first, last] = [passages[0], passages.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const between = text.slice(first.start, last.end);
    if (between.length <= passageMax && !between.includes(gap)) return between;
    return passages.map(({ start, end }) => text.slice(start, end)).join(" … ");
  };
}

/** Most quotes are literal, which needs no folding. */
function isLiteral(text: string, quote: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(quote)) return false;
  const at = indexOf(text, quote);
  return at >= 0 && !isMark(text.codePointAt(at + quote.length));
}

/** Separates the items with valid quotes, as found in the source, from the invalid quotes. */
export function standing<T extends { readonly quote: string }>(
  items: readonly T[],
  findQuote: FindQuote,
): { standing: T[]; dropped: string[] } {
  const found = items.map((item) => ({ item, quote: findQuote(item.quote) }));
  return {
    standing: found.flatMap(({ item, quote }) => (quote === undefined ? [] : [{ ...item, quote }])),
    dropped: found.flatMap(({ item, quote }) => (quote === undefined ? [item.quote] : [])),
  };
}

/** Separates the quotes of a list in the same way. */
export function standingQuotes(
  quotes: readonly string[],
  findQuote: FindQuote,
): { evidence: string[]; dropped: string[] } {
  const { standing: evidence, dropped } = standing(
    quotes.map((quote) => ({ quote })),
    findQuote,
  );
  return { evidence: evidence.map(({ quote }) => quote), dropped };
}

/** Ellipsis in a quote, also in brackets, and the note of a truncated block. */
const ellipsis = /[[(] ?(?:\.{3,}|…)(?: ?\d+ characters left out ?(?:\.{3,}|…))? ?[\])]|\.{3,}|…/u;

/** Removes the quotation marks and spaces around a part of a quote. */
const trimmed = (part: string) => part.replace(/^[\s\p{Quotation_Mark}`]+/u, "").replace(edge, "");
/** The lookbehind makes the search linear. */
const edge = /(?<![\s\p{Quotation_Mark}`])[\s\p{Quotation_Mark}`]+$/u;

/** A passage of the source, and the index in the folded text after it. */
interface Passage {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** Finds a quote in the folded source. It must begin and end with whole characters of the source. */
function find(source: Folded, quote: string, from: number): Passage | undefined {
  const expected = fold(quote).text;
  if (expected === "") return undefined;
  for (let at = indexOf(source.text, expected, from); at >= 0; at = indexOf(source.text, expected, at + 1)) {
    const next = at + expected.length;
    const [start, end] = [source.starts[at], source.ends[next - 1]];
    const isWhole = source.starts[at - 1] !== start && source.ends[next] !== end;
    if (isWhole && start !== undefined && end !== undefined) return { start, end, next };
  }
  return undefined;
}

/** A text without the differences that do not count, with the source's range for each of its units. */
interface Folded {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

const firstMark = 0x300;
/** Combining marks and Hangul letters, which normalization may compose with the character before them. */
const marks = /^[\p{M}\u1160-\u11ff]$/u;
/** Kinds of characters, 0 if unknown: 1 for a mark, 2 for another character. */
const characterKinds = new Uint8Array(0x110000);

function isMark(code: number | undefined): boolean {
  if (code === undefined || code < firstMark) return false;
  if (characterKinds[code] === 0) characterKinds[code] = marks.test(String.fromCodePoint(code)) ? 1 : 2;
  return characterKinds[code] === 1;
}

const countUnits = (code: number) => (code > 0xffff ? 2 : 1);

/**
 * Folds a text: Unicode compatibility and case, no white space and invisible characters, one kind of quotation marks
 * and of dashes, no Markdown emphasis.
 */
function fold(text: string): Folded {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < text.length; ) {
    const start = at;
    let folded: string;
    const code = text.charCodeAt(at);
    if (code === asterisk || code === underscore) {
      at = endOfRun(text, at);
      folded = isEmphasis(text, start, at) ? "" : text.slice(start, at);
    } else if (code < 0x80 && !(text.charCodeAt(at + 1) >= firstMark)) {
      at++;
      folded = asciiFolded[code] ?? "";
    } else {
      at += countUnits(text.codePointAt(at) ?? 0);
      for (let next = text.codePointAt(at); next !== undefined && isMark(next); next = text.codePointAt(at))
        at += countUnits(next);
      folded = foldCached(text.slice(start, at));
    }
    // Two apostrophes are a quotation mark, and two hyphens are a dash.
    if ((folded === "'" || folded === "-") && units.at(-1) === folded) {
      ends[ends.length - 1] = at;
      continue;
    }
    for (let unit = 0; unit < folded.length; unit++) {
      units.push(folded.charAt(unit));
      starts.push(start);
      ends.push(at);
    }
  }
  return { text: units.join(""), starts: Int32Array.from(starts), ends: Int32Array.from(ends) };
}

const cachedMax = 10_000;
const cached = new Map<string, string>();

function foldCached(character: string): string {
  let folded = cached.get(character);
  if (folded !== undefined) return folded;
  folded = foldCharacter(character);
  // A character with many marks is rare.
  if (cached.size < cachedMax && character.length <= 8) cached.set(character, folded);
  return folded;
}

function foldCharacter(character: string): string {
  if (/^[\s\p{Default_Ignorable_Code_Point}]+$/u.test(character)) return "";
  if (/^[\p{Quotation_Mark}`´′″]$/u.test(character)) return "'";
  if (/^[\p{Dash}]$/u.test(character)) return "-";
  const plain = normalized(character, "NFKC").replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, "");
  // Upper case first: both sigmas and sharp s then have one form.
  return plain.toUpperCase().toLowerCase();
}

/** Most characters, folded once. */
const asciiFolded = Array.from({ length: 0x80 }, (_, code) => foldCharacter(String.fromCharCode(code)));

const [asterisk, underscore] = [0x2a, 0x5f];

function endOfRun(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === asterisk || text.charCodeAt(at) === underscore) at++;
  return at;
}

/** True at the border of a word, unlike in `2 * 3` and `max_tokens`. */
function isEmphasis(text: string, start: number, end: number): boolean {
  const isBorder = (character: string) => /^[\s\p{P}]?$/u.test(character);
  const [before, after] = [text.charAt(start - 1), text.charAt(end)];
  const isSpace = (character: string) => character === "" || /\s/.test(character);
  return isBorder(before) !== isBorder(after) || (isBorder(before) && !(isSpace(before) && isSpace(after)));
}
