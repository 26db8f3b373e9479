import { mean } from "../median.ts";

export const passesFrom = 0.5;

/** The model's findings, each true or false. */
export interface Findings {
  /** For each statement of the context: true if it is relevant. */
  readonly contextStatements: readonly boolean[];
  /** For each passage in the order of the retrieval: true if it is relevant. */
  readonly passages: readonly boolean[];
  /** For each claim of the answer: true if the context supports it. */
  readonly claims: readonly boolean[];
  /** For each statement of the answer: true if it serves the question. */
  readonly answerStatements: readonly boolean[];
}

export interface RecallScores {
  readonly contextRelevancy: number;
  readonly contextPrecision: number;
  readonly faithfulness: number;
  readonly answerRelevancy: number;
}

/** Computes the four scores. A score without findings is 0, but an answer without claims is faithful. */
export function recallScores(findings: Findings): RecallScores {
  const { contextStatements, passages, claims, answerStatements } = findings;
  return {
    contextRelevancy: share(contextStatements),
    contextPrecision: averagePrecision(passages),
    faithfulness: claims.length === 0 ? 1 : share(claims),
    answerRelevancy: share(answerStatements),
  };
}

export function recallScore(scores: RecallScores): { score: number; passed: boolean } {
  const { contextRelevancy, contextPrecision, faithfulness, answerRelevancy } = scores;
  const score = mean([contextRelevancy, contextPrecision, faithfulness, answerRelevancy]);
  return { score, passed: score >= passesFrom };
}

const share = (truths: readonly boolean[]) => mean(truths.map(Number));

/**
 * Computes the average precision: for each relevant passage the share of relevant passages up to its rank, then the
 * mean of these shares; 0 if none is relevant.
 */
function averagePrecision(passages: readonly boolean[]): number {
  const ranks = passages.flatMap((isRelevant, at) => (isRelevant ? [at + 1] : []));
  return mean(ranks.map((rank, at) => (at + 1) / rank));
}
