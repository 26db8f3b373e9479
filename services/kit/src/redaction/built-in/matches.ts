import type { Range } from "./range.ts";

/**
 * Start of a match: not after a letter, digit or underscore, except after the letter of an escaped line break or tab in
 * source text and JSON (`\n`).
 */
export const start = String.raw`(?:(?<!\w)|(?<=\\[nrt]))`;

export function findRanges(text: string, pattern: RegExp): Range[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => [index, index + length] as const);
}
