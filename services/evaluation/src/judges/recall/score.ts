import { mean } from "../median.ts";

export const passesFrom = 0.5;

/** What the model found, in truth values alone. */
export interface Findings {
  /** Of each statement of the context, whether it is relevant. */
  readonly contextStatements: readonly boolean[];
  /** Of each passage in the order of the retrieval, whether it is relevant. */
  readonly passages: readonly boolean[];
  /** Of each claim of the answer, whether the context supports it. */
  readonly claims: readonly boolean[];
  /** Of each statement of the answer, whether it serves the question. */
  readonly answerStatements: readonly boolean[];
}

export interface RecallScores {
  readonly contextRelevancy: number;
  readonly contextPrecision: number;
  readonly faithfulness: number;
  readonly answerRelevancy: number;
}

/** Nothing found is 0, but an answer without claims is faithful. */
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

/** The mean, over the ranks of relevant passages, of the share of relevant ones up to there; 0 without any. */
function averagePrecision(passages: readonly boolean[]): number {
  const ranks = passages.flatMap((isRelevant, at) => (isRelevant ? [at + 1] : []));
  return mean(ranks.map((rank, at) => (at + 1) / rank));
}
