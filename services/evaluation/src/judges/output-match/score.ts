import { createFold } from "@ems/assertions";
import { containedMax, type Matched, matchContained, matchEqual } from "./multiset.ts";

export type MatchMode = "exact_unordered" | "contains";
export type ScoreMetric = "f1" | "precision" | "recall";

export const usualThreshold = 0.8;

/** Returns 1 if the output equals one of the expected texts, else 0. */
export function stringScore(expected: readonly string[], got: string | undefined, exact = false): 0 | 1 {
  if (got === undefined) return 0;
  const toCompared = createFold({ exact });
  const compared = toCompared(got);
  return expected.some((each) => toCompared(each) === compared) ? 1 : 0;
}

export interface ListScore {
  /** Number of expected items that were found. */
  readonly tp: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Expected values that were not found often enough. */
  readonly missing: readonly { readonly value: string; readonly have: number; readonly need: number }[];
}

/**
 * Compares lists. Recall is the share of the expected items that were found, precision the share of the output's items
 * in which one was found. Two empty lists agree. An empty expected list has recall 1; an empty output has no precision.
 */
export async function listScore(
  expected: readonly string[],
  got: readonly string[],
  mode: MatchMode,
): Promise<ListScore> {
  const { found: tp, used, values } = await matchedBy(mode, expected, got);
  const missing = [...values].flatMap(([value, { have, need }]) => (have < need ? [{ value, have, need }] : []));
  if (expected.length + got.length === 0) return { tp, precision: 1, recall: 1, f1: 1, missing };
  const precision = got.length === 0 ? 0 : used / got.length;
  const recall = expected.length === 0 ? 1 : tp / expected.length;
  // Equal to 2 tp / (expected + got) where each item is used once, and exact there.
  const f1 = used === tp ? (2 * tp) / (expected.length + got.length) : (2 * precision * recall) / (precision + recall);
  return { tp, precision, recall, f1, missing };
}

async function matchedBy(mode: MatchMode, expected: readonly string[], got: readonly string[]): Promise<Matched> {
  switch (mode) {
    case "exact_unordered":
      return matchEqual(expected, got);
    case "contains":
      return matchContained(expected, got);
  }
}

/** Returns true if all items of the list were compared. */
export const isSearchedWhole = (mode: MatchMode, got: readonly string[]) =>
  mode === "exact_unordered" || got.length <= containedMax;
