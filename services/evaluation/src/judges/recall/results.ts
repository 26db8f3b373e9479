import type { Json } from "../judge.ts";
import type { RecallAnswer } from "./answer.ts";
import { passesFrom, type RecallScores } from "./score.ts";

interface Reported {
  readonly contextRelevancy: RecallAnswer;
  readonly contextPrecision: RecallAnswer;
  readonly faithfulness: RecallAnswer;
}

/** Returns the four scores named as in EvalResults. Omits fields that these formulas do not compute. */
export function recallResults(scores: RecallScores, reported: Reported): { readonly [key: string]: Json } {
  return {
    AnswerRelevancy: { name: "AnswerRelevancy", score: scores.answerRelevancy },
    ContextPrecision: {
      name: "ContextPrecision",
      score: scores.contextPrecision,
      metadata: { reason: reported.contextPrecision.reason, verdict: scores.contextPrecision >= passesFrom ? 1 : 0 },
    },
    ContextRelevancy: {
      name: "ContextRelevancy",
      score: scores.contextRelevancy,
      metadata: {
        relevantSentences: reported.contextRelevancy.contextStatements
          .filter(({ relevant }) => relevant)
          .map(({ statement, reason }) => ({ sentence: statement, reasons: [reason] })),
      },
    },
    Faithfulness: {
      name: "Faithfulness",
      score: scores.faithfulness,
      metadata: {
        statements: reported.faithfulness.claims.map(({ statement }) => statement),
        faithfulness: reported.faithfulness.claims.map(faithfulness),
      },
    },
  };
}

function faithfulness({ statement, reason, supported, classification }: RecallAnswer["claims"][number]): Json {
  if (supported) return { statement, reason, verdict: 1 };
  // Uses the general class if the model chose none.
  return {
    statement,
    reason,
    verdict: 0,
    classification: classification === "NONE" ? "UNSUPPORTED_CLAIM" : classification,
  };
}
