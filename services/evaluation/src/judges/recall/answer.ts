import { z } from "@ems/kit/config";
import { answerSchema, blockNumber, boundedList, text } from "../answer-schema.ts";
import type { AnswerSchema } from "../judge.ts";

export const classifications = ["UNSUPPORTED_CLAIM", "CONTRADICTION", "PARTIAL_HALLUCINATION", "SCOPE_DRIFT"] as const;

const judgement = z.strictObject({
  passages: boundedList(z.strictObject({ passage: blockNumber(), relevant: z.boolean() })),
  contextStatements: boundedList(
    z.strictObject({ passage: blockNumber(), statement: text(), quote: text(), relevant: z.boolean(), reason: text() }),
  ),
  claims: boundedList(
    z.strictObject({
      statement: text(),
      quote: text(),
      supported: z.boolean(),
      classification: z.enum([...classifications, "NONE"]),
      reason: text(),
    }),
  ),
  answerStatements: boundedList(z.strictObject({ statement: text(), quote: text(), relevant: z.boolean() })),
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
  };
}
