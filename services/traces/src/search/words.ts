// Splits payloads and searches into words: whole, in lower case, separated by characters that are neither letters nor
// marks nor digits.

import { normalized } from "@ems/kit/normalize";

/** Combining marks are part of words: without them, words of many scripts would be split. */
const word = /[\p{L}\p{M}\p{N}]+/gu;
/** JSON escapes, which separate words or represent characters. */
const jsonEscape = /\\(?:u([0-9a-fA-F]{4})|.)/gs;

/** Yields the words of a payload, including repeated ones. */
export function* listWords(payload: string): Generator<string> {
  const text = isJson(payload) ? unescaped(payload) : payload;
  for (const [match] of normalized(text).toLowerCase().matchAll(word)) yield match;
}

/**
 * Yields the keys of a payload's words, including repeated ones. The result is the same as with `listWords` and
 * `getKey`, but creates no strings for plain ASCII.
 */
export function* listKeys(payload: string, { seeds, getKey }: WordKeys): Generator<number> {
  const text = isJson(payload) ? unescaped(payload) : payload;
  if (!isAscii.test(text)) {
    for (const found of listWords(payload)) yield getKey(found);
    return;
  }
  let [high, low] = seeds;
  let isInWord = false;
  for (let index = 0; index < text.length; index++) {
    const code = lowerAlphanumerics[text.charCodeAt(index)] ?? 0;
    if (code !== 0) {
      high = Math.imul(high ^ code, highFactor);
      low = Math.imul(low ^ code, lowFactor);
      isInWord = true;
    } else if (isInWord) {
      yield mixed(high, low);
      [high, low] = seeds;
      isInWord = false;
    }
  }
  if (isInWord) yield mixed(high, low);
}

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
  const getKey = (text: string) => hash53(text, ...seeds);
  return { getKey, seeds, split: getKey("") };
}

/**
 * Hashes with cyrb53 (public domain). A cryptographic hash would cost ten times as much, and an application that causes
 * collisions only harms its own search.
 */
function hash53(text: string, seedHigh: number, seedLow: number): number {
  let [high, low] = [seedHigh, seedLow];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, highFactor);
    low = Math.imul(low ^ code, lowFactor);
  }
  return mixed(high, low);
}

const highFactor = 2654435761;
const lowFactor = 1597334677;

function mixed(high: number, low: number): number {
  const top = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  const bottom = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(top ^ (top >>> 13), 3266489909);
  return 4294967296 * (2097151 & bottom) + (top >>> 0);
}

/** Returns the argument of `traces.find_traces`: the key that marks split traces, then the keys of `search`. */
export function wordsToFind(applicationId: string, search: string): string {
  return arrayText([wordKeys(applicationId).split, ...searchKeys(applicationId, search)]);
}

/** Returns the keys of the words in `search`. */
export function searchKeys(applicationId: string, search: string): number[] {
  const { getKey } = wordKeys(applicationId);
  return [...new Set([...listWords(`. ${search}`)].map(getKey))];
}

/** Returns the key of the day of a trace, which is negative to differ from keys of words. */
export function dayKey(createdAt: Date): number {
  return -Math.floor(createdAt.getTime() / 86_400_000);
}

/** Formats a list of keys as a PostgreSQL array. */
export function arrayText(keys: readonly number[]): string {
  return `{${keys.join(",")}}`;
}
