import { z } from "@ems/kit/config";
import { answerSchema, boundedList, grade, text } from "../answer-schema.ts";

export const naturalnessAnswer = answerSchema(
  "naturalness_judgement",
  z.strictObject({
    analysis: text(),
    quotes: boundedList(text()),
    coherence: grade(),
    engagingness: grade(),
    naturalness: grade(),
    relevance: grade(),
    clarity: grade(),
  }),
);
