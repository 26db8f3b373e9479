import type { Block } from "./blocks.ts";

/** Characters of one block: some 15,000 tokens. */
export const blockCharsMax = 60_000;

/** A block that fits, and whether it was cut. */
export function cutBlock(name: string, text: string, charsMax = blockCharsMax): { block: Block; isCut: boolean } {
  return { block: { name, text: cutMiddle(text, charsMax) }, isCut: text.length > charsMax };
}

/** Beginning and end of a text, which say most of it, with a note between them. Never splits a character. */
export function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = Math.floor(charsMax / 2);
  const head = text.slice(0, isHighSurrogate(text, half - 1) ? half - 1 : half);
  const tailAt = text.length - half;
  const tail = text.slice(isLowSurrogate(text, tailAt) ? tailAt + 1 : tailAt);
  const left = text.length - head.length - tail.length;
  return `${head}\n[... ${left} characters left out ...]\n${tail}`;
}

const isHighSurrogate = (text: string, at: number) => /[\uD800-\uDBFF]/.test(text[at] ?? "");
const isLowSurrogate = (text: string, at: number) => /[\uDC00-\uDFFF]/.test(text[at] ?? "");
