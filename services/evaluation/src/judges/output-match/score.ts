import { jsonTextLimits, tryReadJsonText } from "@ems/kit/readers";
import { containedMax, type Matched, matchContained, matchEqual } from "./multiset.ts";

export type MatchMode = "exact_unordered" | "contains";
export type ScoreMetric = "f1" | "precision" | "recall";

export const usualThreshold = 0.8;

/** Returns 1 if the output equals one of the expected texts, else 0. */
export function stringScore(expected: readonly string[], got: string | undefined): 0 | 1 {
  return got !== undefined && expected.includes(got) ? 1 : 0;
}

export interface ListScore {
  readonly tp: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Expected values that were not found often enough. */
  readonly missing: readonly { readonly value: string; readonly have: number; readonly need: number }[];
}

/** Compares lists. Two empty lists agree. An empty expected list has recall 1; an empty output has no precision. */
export async function listScore(
  expected: readonly string[],
  got: readonly string[],
  mode: MatchMode,
): Promise<ListScore> {
  const { tp, values } = await matchedBy(mode, expected, got);
  const missing = [...values].flatMap(([value, { have, need }]) => (have < need ? [{ value, have, need }] : []));
  if (expected.length + got.length === 0) return { tp, precision: 1, recall: 1, f1: 1, missing };
  return {
    tp,
    precision: got.length === 0 ? 0 : tp / got.length,
    recall: expected.length === 0 ? 1 : tp / expected.length,
    f1: (2 * tp) / (expected.length + got.length),
    missing,
  };
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

/** Lists the items of a text: the elements of a JSON array, else the text's lines; trimmed, without empty items. */
export function listItems(text: string): string[] {
  return trimmed(jsonItems(text) ?? text.split(/\r\n|[\n\r\u2028\u2029]/));
}

export const trimmed = (items: readonly string[]): string[] =>
  items.map((item) => item.trim()).filter((item) => item !== "");

function jsonItems(text: string): string[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  const json = tryReadJsonText(text, jsonTextLimits);
  return Array.isArray(json) ? json.map((item) => (typeof item === "string" ? item : JSON.stringify(item))) : undefined;
}
