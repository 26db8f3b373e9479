import { answerObject, answerSchema, grade, quotes, text } from "../answer-schema.ts";

export const naturalnessAnswer = answerSchema(
  "naturalness_judgement",
  answerObject({
    analysis: text(),
    quotes: quotes(),
    coherence: grade(),
    engagingness: grade(),
    naturalness: grade(),
    relevance: grade(),
    clarity: grade(),
  }),
);
