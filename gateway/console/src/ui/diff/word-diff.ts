// What changed between two texts, by words. Bounded: a page must not freeze over long texts.

import { type ChangeObject, diffLines, diffWordsWithSpace } from "diff";

export interface Difference {
  readonly parts: readonly Pick<ChangeObject<string>, "value" | "added" | "removed">[];
  /** Whether lines were compared, since the words were too many. */
  readonly isByLine: boolean;
}

const timeoutMs = 250;
/** Characters of both texts: splitting more into words takes longer than the comparison may. */
const wordsMax = 400_000;

/** Undefined where even the lines differ too much to be compared in time. */
export function differenceOf(before: string, after: string): Difference | undefined {
  const isShort = before.length + after.length <= wordsMax;
  const words = isShort ? diffWordsWithSpace(before, after, { timeout: timeoutMs }) : undefined;
  if (words !== undefined) return { parts: words, isByLine: false };
  const lines = diffLines(before, after, { timeout: timeoutMs });
  return lines === undefined ? undefined : { parts: lines, isByLine: true };
}
