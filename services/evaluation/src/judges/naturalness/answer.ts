import { z } from "@ems/kit/config";
import { answerSchema, grade, listOf, text } from "../answer-schema.ts";

export const naturalnessAnswer = answerSchema(
  "naturalness_judgement",
  z.strictObject({
    analysis: text(),
    quotes: listOf(text()),
    coherence: grade(),
    engagingness: grade(),
    naturalness: grade(),
    relevance: grade(),
    clarity: grade(),
  }),
);
