// Splits payloads and searches into words: runs of letters, marks and digits, in one form for upper and lower case. A word
// that begins with letters is also found by its beginnings.

import { invalidField } from "@ems/kit/errors";
import { normalized } from "@ems/kit/normalize";
import { bigrams, foldCase, type Piece, segments, toPieces } from "./scripts.ts";

/** Combining marks are part of words: without them, words of many scripts would be split. */
const word = /[\p{L}\p{M}\p{N}]+/gu;
const searchedWord = /([\p{L}\p{M}\p{N}]+)(\*?)/gu;
/** JSON escapes, which separate words or represent characters. */
const jsonEscape = /\\(?:u([0-9a-fA-F]{4})|.)/gs;
/** Beginning of a word that consists of letters, as far as beginnings have keys. */
const letters = /^[\p{L}\p{M}]*/u;

/** Lengths of beginnings that have keys. Longer ones are searched by their first letters. */
export const prefixLengths = { min: 3, max: 10 } as const;

/** Yields the words of a payload, including repeated ones. */
export function listWords(payload: string): Generator<string> {
  return listTextWords(isJson(payload) ? unescaped(payload) : payload);
}

function* listTextWords(text: string): Generator<string> {
  for (const [run] of fold(text).matchAll(word)) {
    for (const { script, text } of toPieces(run)) {
      if (script === "ideographs") yield* bigrams(text, { isIndexed: true });
      else if (script === "unspaced") yield* segments(text);
      else yield text;
    }
  }
}

function fold(text: string): string {
  return foldCase(normalized(text, "NFKC").toLowerCase());
}

/**
 * Adds the keys of a payload's words and of their beginnings to `found`, until it has at least `max`. Yields from time to
 * time, so that other requests can have turns. The keys are the same as with `listWords` and `wordKeys`, but plain ASCII
 * creates no strings.
 */
export function* addKeys(payload: string, keys: WordKeys, found: Set<number>, max: number): Generator<void> {
  const text = isJson(payload) ? unescaped(payload) : payload;
  if (isAscii.test(text)) yield* addAsciiKeys(text, keys, found, max);
  else yield* addWordKeys(text, keys, found, max);
}

/** Number of words or characters after which other requests can have turns. */
const wordsPerTurn = 2_000;
const charactersPerTurn = 20_000;

function* addAsciiKeys(text: string, keys: WordKeys, found: Set<number>, max: number): Generator<void> {
  let [high, low] = keys.seeds;
  let start = 0;
  let turn = charactersPerTurn;
  // One step beyond the end, where the last word ends.
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? lowerAlphanumerics[text.charCodeAt(index)] : 0;
    if (code !== undefined && code !== 0) {
      high = Math.imul(high ^ code, highFactor);
      low = Math.imul(low ^ code, lowFactor);
      continue;
    }
    if (index > start) {
      const key = mixed(high, low);
      if (!found.has(key)) {
        if (found.size >= max) return;
        found.add(key);
        addPrefixKeys(text, start, index, keys, found);
      }
      [high, low] = keys.seeds;
    }
    start = index + 1;
    if (index < turn) continue;
    yield;
    turn = index + charactersPerTurn;
  }
}

/** Adds the keys of the beginnings of a word of ASCII. */
function addPrefixKeys(text: string, start: number, end: number, { seeds }: WordKeys, found: Set<number>): void {
  let [high, low] = seeds;
  const last = Math.min(end, start + prefixLengths.max);
  for (let index = start; index < last; index++) {
    const code = lowerAlphanumerics[text.charCodeAt(index)] ?? 0;
    if (code < firstLetter) return;
    high = Math.imul(high ^ code, highFactor);
    low = Math.imul(low ^ code, lowFactor);
    if (index - start + 1 >= prefixLengths.min) found.add(prefixMixed(high, low));
  }
}

function* addWordKeys(text: string, keys: WordKeys, found: Set<number>, max: number): Generator<void> {
  let untilTurn = wordsPerTurn;
  for (const each of listTextWords(text)) {
    const key = keys.getKey(each);
    if (!found.has(key)) {
      if (found.size >= max) return;
      found.add(key);
      const end = Math.min(letters.exec(each)?.[0].length ?? 0, prefixLengths.max);
      for (let length = prefixLengths.min; length <= end; length++) found.add(keys.getPrefixKey(each.slice(0, length)));
    }
    if (--untilTurn > 0) continue;
    yield;
    untilTurn = wordsPerTurn;
  }
}

const firstLetter = "a".charCodeAt(0);

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
const isAscii = /^[\x00-\x7f]*$/;

/** Lower-case letter or digit by ASCII code; 0 for separators. */
const lowerAlphanumerics = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(character) ? character.charCodeAt(0) : 0;
});

/** Returns true if both ends look like JSON. Other text that looks like it only loses words after a backslash. */
function isJson(payload: string): boolean {
  const ends = `${payload.charAt(0)}${payload.charAt(payload.length - 1)}`;
  return ends === "{}" || ends === "[]" || ends === '""';
}

function unescaped(json: string): string {
  if (!json.includes("\\")) return json;
  return json.replaceAll(jsonEscape, (_, hex?: string) =>
    hex === undefined ? " " : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Keys that stand for an application's words in the index. */
export interface WordKeys {
  readonly getKey: (word: string) => number;
  /** Returns the key of a beginning of words. */
  readonly getPrefixKey: (prefix: string) => number;
  readonly seeds: readonly [number, number];
  /** Key that marks each part of a trace with several parts. */
  readonly split: number;
}

/**
 * Returns keys of 53 bits, which fit in a number. Different words of an application have different keys, and keys of
 * different applications do not match.
 */
export function wordKeys(applicationId: string): WordKeys {
  const digits = applicationId.replaceAll("-", "");
  const [a = 0, b = 0, c = 0, d = 0] = [0, 8, 16, 24].map((at) => Number.parseInt(digits.slice(at, at + 8), 16));
  const seeds = [0xdeadbeef ^ a ^ c, 0x41c6ce57 ^ b ^ d] as const;
  const getKey = (text: string) => mixed(...hash(text, seeds));
  const getPrefixKey = (text: string) => prefixMixed(...hash(text, seeds));
  return { getKey, getPrefixKey, seeds, split: getKey("") };
}

/**
 * Hashes with cyrb53 (public domain). A cryptographic hash would cost ten times as much, and an application that causes
 * collisions only harms its own search.
 */
function hash(text: string, seeds: readonly [number, number]): [high: number, low: number] {
  let [high, low] = seeds;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, highFactor);
    low = Math.imul(low ^ code, lowFactor);
  }
  return [high, low];
}

const highFactor = 2654435761;
const lowFactor = 1597334677;

function mixed(high: number, low: number): number {
  const top = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const bottom = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(top ^ (top >>> 13), 3266489909);
  return 4294967296 * (2097151 & bottom) + (top >>> 0);
}

/** Keys of beginnings differ from those of the same words. */
function prefixMixed(high: number, low: number): number {
  return mixed(high ^ 0x2a, low ^ 0x2a);
}

/** Returns the argument of `traces.find_traces`: the key that marks split traces, then the keys of `search`. */
export function wordsToFind(applicationId: string, search: string): string {
  return arrayText([wordKeys(applicationId).split, ...searchKeys(applicationId, search)]);
}

/** Returns the keys of the words in `search`; a word before `*` is a beginning. */
export function searchKeys(applicationId: string, search: string): number[] {
  const keys = wordKeys(applicationId);
  const found = [...fold(search).matchAll(searchedWord)].flatMap(([, run = "", star]) =>
    toPieces(run).flatMap((piece, index, { length }) => pieceKeys(piece, star !== "" && index === length - 1, keys)),
  );
  return [...new Set(found)];
}

/** Ideographs are found within longer runs, so that `*` changes nothing. */
function pieceKeys({ script, text }: Piece, isPrefix: boolean, { getKey, getPrefixKey }: WordKeys): number[] {
  if (script === "ideographs")
    return [...segments(text)].flatMap((found) => [...bigrams(found, { isIndexed: false })]).map(getKey);
  const words = script === "unspaced" ? [...segments(text)] : [text];
  const prefix = isPrefix ? words.pop() : undefined;
  return [...words.map(getKey), ...(prefix === undefined ? [] : [getPrefixKey(toSearchable(prefix))])];
}

function toSearchable(prefix: string): string {
  if (prefix.length < prefixLengths.min || letters.exec(prefix)?.[0] !== prefix)
    throw invalidField(["search"], `Before \`*\`, at least ${prefixLengths.min} letters and no digits are needed`);
  return prefix.slice(0, prefixLengths.max);
}

/** Returns the key of the day of a trace, which is negative to differ from keys of words. */
export function dayKey(createdAt: Date): number {
  return -Math.floor(createdAt.getTime() / 86_400_000);
}

/** Formats a list of keys as a PostgreSQL array. */
export function arrayText(keys: readonly number[]): string {
  return `{${keys.join(",")}}`;
}
