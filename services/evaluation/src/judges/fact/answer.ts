import { answerObject, answerSchema, boundedList, flag, quote, text } from "../answer-schema.ts";

export const factAnswer = answerSchema(
  "fact_judgement",
  answerObject({
    claims: boundedList(answerObject({ claim: text(), quote: quote(), supported: flag("supported") })),
    missing: boundedList(answerObject({ claim: text(), quote: quote() })),
  }),
);
