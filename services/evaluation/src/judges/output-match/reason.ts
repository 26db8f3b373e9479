// Explains to users why an output matched or did not match.

import { createFold, type Extract, explainDifferences, findAsciiClasses, quote } from "@ems/assertions";
import type { ListScore, ScoreMetric } from "./score.ts";

const namedMax = 5;

export interface Compared {
  readonly expected: readonly string[];
  readonly got: string | undefined;
  readonly exact: boolean;
  readonly extract: Extract | undefined;
  readonly output: string;
}

export function stringReason({ expected, got, exact, extract, output }: Compared, isMatch: boolean): string {
  if (got === undefined) return `The pattern found nothing in the output${asciiHint(extract, output)}`;
  const toCompared = createFold({ exact });
  if (isMatch)
    return expected.length > 1 ? `The output equals ${quote(toCompared(got))}` : "The output equals the expected text";
  return `${explainDifferences(expected.map(toCompared), toCompared(got))}${asciiHint(extract, output)}`;
}

/** Names a class of the pattern that does not match the letters of the output. */
function asciiHint(extract: Extract | undefined, output: string): string {
  const [name] = extract === undefined || !/[^\P{L}a-zA-Z]/u.test(output) ? [] : findAsciiClasses(extract.pattern);
  return name === undefined ? "" : `. ${name} of the pattern is ASCII, and does not know all letters of the output`;
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
