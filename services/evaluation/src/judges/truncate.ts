import type { Block } from "./blocks.ts";

/** Maximum number of characters in one block: about 15,000 tokens. */
export const blockCharsMax = 60_000;

/** Returns a block that fits in the limit, and whether its text was truncated. */
export function cutBlock(name: string, text: string, charsMax = blockCharsMax): { block: Block; isCut: boolean } {
  return { block: { name, text: cutMiddle(text, charsMax) }, isCut: text.length > charsMax };
}

/** Returns the beginning and end of a long text, with a note between them. */
export function cutMiddle(text: string, charsMax: number): string {
  return joinEnds(text, charsMax, (left) => `\n[... ${left} characters left out ...]\n`);
}

/** Returns the beginning and end of a long text, joined by a text. Never splits a character. */
export function joinEnds(text: string, charsMax: number, join: (left: number) => string): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  const head = text.slice(0, isHighSurrogate(text, half - 1) ? half - 1 : half);
  const tailAt = text.length - half;
  const tail = text.slice(isLowSurrogate(text, tailAt) ? tailAt + 1 : tailAt);
  const left = text.length - head.length - tail.length;
  return `${head}${join(left)}${tail}`;
}

const isHighSurrogate = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text[at] ?? "");
const isLowSurrogate = (text: string, at: number) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
