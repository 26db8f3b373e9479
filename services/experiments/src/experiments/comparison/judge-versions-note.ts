// Notes on judges of different versions in the summary of a comparison: they may judge the same answer differently.

import type { EvaluationResultRow } from "./rows.ts";

type Judged = Pick<EvaluationResultRow, "judgeVersion">;

/** Returns a note if one definition was judged by different versions; undefined otherwise, and where they are unknown. */
export function judgeVersionsNote(baseline: readonly Judged[], variant: readonly Judged[]): string | undefined {
  const [before, after] = [listVersions(baseline), listVersions(variant)];
  if (new Set([...before, ...after]).size < 2 || before.length === 0 || after.length === 0) return undefined;
  return `Different judges: ${before.join(" and ")} before, ${after.join(" and ")} after; rerun the evaluations of one side.`;
}

/** Returns a note on the definitions that were judged by different versions. */
export function definitionVersionsNote(
  definitions: readonly { readonly baseline: readonly Judged[]; readonly variant: readonly Judged[] }[],
): string | undefined {
  const count = definitions.filter(({ baseline, variant }) => judgeVersionsNote(baseline, variant)).length;
  if (count === 0) return undefined;
  return `Different versions of judges: ${count} of ${definitions.length} definitions.`;
}

/** Joins the notes that there are. */
export function joinNotes(...notes: readonly (string | undefined)[]): string | undefined {
  const present = notes.filter((note) => note !== undefined);
  return present.length === 0 ? undefined : present.join(" ");
}

const listVersions = (rows: readonly Judged[]) =>
  [...new Set(rows.flatMap(({ judgeVersion }) => judgeVersion ?? []))].toSorted();
