// What changed between two texts, by words. Bounded: a page must not freeze over long texts.

import { type ChangeObject, diffLines, diffWordsWithSpace } from "diff";

export interface Difference {
  readonly parts: readonly Pick<ChangeObject<string>, "value" | "added" | "removed">[];
  /** Whether lines were compared, since the words were too many. */
  readonly isByLine: boolean;
}

const timeoutMs = 250;

/** Undefined where even the lines differ too much to be compared in time. */
export function differenceOf(before: string, after: string): Difference | undefined {
  const words = diffWordsWithSpace(before, after, { timeout: timeoutMs });
  if (words !== undefined) return { parts: words, isByLine: false };
  const lines = diffLines(before, after, { timeout: timeoutMs });
  return lines === undefined ? undefined : { parts: lines, isByLine: true };
}
