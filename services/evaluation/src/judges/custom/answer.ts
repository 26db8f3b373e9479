import { z } from "@ems/kit/config";
import { answerSchema, listOf, text } from "../answer-schema.ts";

export const customAnswer = answerSchema(
  "custom_judgement",
  z.strictObject({ rationale: text(), quotes: listOf(text()), choice: z.enum(["Y", "N"]) }),
);
