import type { Range } from "./range.ts";

/** Before a match: no letter, digit or underscore, but for the one of an escaped line break or tab in source text and JSON. */
export const start = String.raw`(?:(?<!\w)|(?<=\\[nrt]))`;

export function rangesOf(text: string, pattern: RegExp): Range[] {
  return Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => [index, index + length] as const);
}
