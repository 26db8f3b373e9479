import { answerObject, answerSchema, quotes, text, yesOrNo } from "../answer-schema.ts";

export const customAnswer = answerSchema(
  "custom_judgement",
  answerObject({ rationale: text(), quotes: quotes(), choice: yesOrNo() }),
);
