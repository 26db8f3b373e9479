import type { z } from "@ems/kit/config";
import {
  answerObject,
  answerSchema,
  blockNumber,
  boundedList,
  enumeration,
  flag,
  quote,
  text,
} from "../answer-schema.ts";
import type { AnswerSchema } from "../judge.ts";

export const classifications = ["UNSUPPORTED_CLAIM", "CONTRADICTION", "PARTIAL_HALLUCINATION", "SCOPE_DRIFT"] as const;

const judgement = answerObject({
  passages: boundedList(answerObject({ passage: blockNumber(), relevant: flag("relevant") })),
  contextStatements: boundedList(
    answerObject({
      passage: blockNumber(),
      statement: text(),
      quote: quote(),
      relevant: flag("relevant"),
      reason: text(),
    }),
  ),
  claims: boundedList(
    answerObject({
      statement: text(),
      quote: quote(),
      supported: flag("supported"),
      classification: enumeration([...classifications, "NONE"], "NONE"),
      reason: text(),
    }),
  ),
  answerStatements: boundedList(answerObject({ statement: text(), quote: quote(), relevant: flag("relevant") })),
  reason: text(),
});

export type RecallAnswer = z.infer<typeof judgement>;

/** Returns the answer's schema, which requires each passage exactly once, in order. */
export function recallAnswer(passageCount: number): AnswerSchema<RecallAnswer> {
  const schema = answerSchema("recall_judgement", judgement);
  return {
    ...schema,
    parse: (value) => {
      const answer = schema.parse(value);
      const passages = answer?.passages.toSorted((a, b) => a.passage - b.passage);
      const isWhole = passages?.length === passageCount && passages.every(({ passage }, at) => passage === at + 1);
      return answer !== undefined && isWhole ? { ...answer, passages } : undefined;
    },
    findProblem: (value) =>
      schema.findProblem?.(value) ?? `passages: expected each passage from 1 to ${passageCount} exactly once`,
  };
}
