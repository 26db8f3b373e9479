// Explains to users why an output matched or did not match.

import type { ListScore, ScoreMetric } from "./score.ts";

const quotedMax = 100;
const namedMax = 5;

const quote = (text: string) => JSON.stringify(text.length > quotedMax ? `${text.slice(0, quotedMax)}…` : text);

export function stringReason(expected: readonly string[], got: string | undefined, isMatch: boolean): string {
  if (got === undefined) return "The pattern found nothing in the output";
  if (isMatch) return "The output equals the expected text";
  return `Expected ${expected.slice(0, namedMax).map(quote).join(" or ")}, got ${quote(got)}`;
}

interface Listed {
  readonly expected: readonly string[];
  readonly got: readonly string[];
  readonly score: ListScore;
  readonly metric: ScoreMetric;
  readonly threshold: number;
}

export function listReason({ expected, got, score, metric, threshold }: Listed): string {
  const value = score[metric];
  const found = `${score.tp} of ${counted(expected.length, "expected item")} found in ${counted(got.length, "item")}`;
  const bound = `${metric} ${rounded(value)} ${value >= threshold ? "reaches" : "is below"} ${rounded(threshold)}`;
  return [found, bound, ...missingText(score)].join("; ");
}

function missingText({ missing }: ListScore): string[] {
  if (missing.length === 0) return [];
  const named = missing
    .slice(0, namedMax)
    .map(({ value, have, need }) => (need === 1 ? quote(value) : `${quote(value)} (${have} of ${need})`));
  const more = missing.length > namedMax ? ` and ${missing.length - namedMax} more` : "";
  return [`missing ${named.join(", ")}${more}`];
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const rounded = (value: number) => String(Math.round(value * 1_000) / 1_000);
