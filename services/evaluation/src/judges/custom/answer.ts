import { answerObject, answerSchema, quotes, text, verdict } from "../answer-schema.ts";

export const customAnswer = answerSchema(
  "custom_judgement",
  answerObject({ rationale: text(), quotes: quotes(), choice: verdict() }),
);
