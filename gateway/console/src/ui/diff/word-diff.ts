// Word diff of two texts, with limits so that long texts do not freeze the page.

import { type ChangeObject, diffLines, diffWordsWithSpace } from "diff";

export interface Difference {
  readonly parts: readonly Pick<ChangeObject<string>, "value" | "added" | "removed">[];
  /** True if whole lines were compared, because the texts have too many words. */
  readonly isByLine: boolean;
}

const timeoutMs = 250;
/** Maximum characters of both texts together for a word diff, because splitting more text takes too long. */
const wordsMax = 400_000;

/** Returns the differences; undefined if even a line diff takes too long. */
export function compareTexts(before: string, after: string): Difference | undefined {
  const isShort = before.length + after.length <= wordsMax;
  const words = isShort ? diffWordsWithSpace(before, after, { timeout: timeoutMs }) : undefined;
  if (words !== undefined) return { parts: words, isByLine: false };
  const lines = diffLines(before, after, { timeout: timeoutMs });
  return lines === undefined ? undefined : { parts: lines, isByLine: true };
}
