// Pure: computes findings from a model's answer about documents.

import { createQuoteFinder } from "../evidence.ts";
import type { AnswerSchema } from "../judge.ts";
import type { comparisonAnswer, coverageAnswer, mappingAnswer } from "./answers.ts";

type Answer<Schema> = Schema extends AnswerSchema<infer T> ? T : never;

/** Recorded result of a question. */
export interface DocumentFinding {
  /** Coverage of a task, or overlap of two passages, from 0 to 1. */
  readonly score: number;
  readonly reasoning: string;
  /** Indexes of the candidates that match. */
  readonly matches: readonly number[];
  readonly contradictions: readonly { readonly reason: string; readonly passageA: string; readonly passageB: string }[];
}

/** The API's limits for contradictions. More contradictions of the same two passages would only be repetitions. */
const reasonLengthMax = 2_000;
const passageLengthMax = 4_000;
const contradictionsMax = 20;

/** Computes the share of needs that passages cover; a need without a passage is not covered. */
export function getCoverage({ needs, reasoning }: Answer<typeof coverageAnswer>, candidates: number): DocumentFinding {
  const numbered = needs.map(({ passages, covered }) => ({ covered, matches: toIndexes(passages, candidates) }));
  const covered = numbered.filter((need) => need.covered && need.matches.length > 0);
  const score = needs.length === 0 ? 0 : covered.length / needs.length;
  return { score, reasoning, matches: distinct(numbered.flatMap(({ matches }) => matches)), contradictions: [] };
}

/**
 * Computes the share of statements in both passages that the other passage repeats. Contradictions must quote the
 * passages; undefined if there are contradictions and none has valid quotes.
 */
export function getComparison(
  { statements, contradictions, reasoning }: Answer<typeof comparisonAnswer>,
  texts: readonly [string, string],
): DocumentFinding | undefined {
  const [findInA, findInB] = texts.map((text) => createQuoteFinder(text));
  const standing = contradictions.flatMap(({ reason, quote1, quote2 }) => {
    const [passageA, passageB] = [findInA?.(quote1), findInB?.(quote2)];
    return passageA === undefined || passageB === undefined ? [] : [{ reason, passageA, passageB }];
  });
  if (contradictions.length > 0 && standing.length === 0) return undefined;
  const repeated = statements.filter((statement) => statement.repeated);
  return {
    score: statements.length === 0 ? 0 : repeated.length / statements.length,
    reasoning,
    matches: [],
    contradictions: standing.slice(0, contradictionsMax).map(({ reason, passageA, passageB }) => ({
      reason: shortened(reason.trim() || "The passages contradict each other", reasonLengthMax),
      passageA: shortened(passageA, passageLengthMax),
      passageB: shortened(passageB, passageLengthMax),
    })),
  };
}

/** Returns the matches without a score, because the share of tasks that a document serves would have no meaning. */
export function getMapping({ serves, reasoning }: Answer<typeof mappingAnswer>, candidates: number): DocumentFinding {
  return { score: 0, reasoning, matches: distinct(toIndexes(serves, candidates)), contradictions: [] };
}

/** Converts block numbers, which start at 1, to indexes. Drops numbers for which there is no block. */
const toIndexes = (numbers: readonly number[], candidates: number) =>
  numbers.map((number) => number - 1).filter((index) => index >= 0 && index < candidates);

const distinct = (values: readonly number[]) => [...new Set(values)];

const shortened = (text: string, max: number) => text.slice(0, max).toWellFormed();
