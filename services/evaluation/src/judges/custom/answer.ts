import { z } from "@ems/kit/config";
import { answerSchema, boundedList, text } from "../answer-schema.ts";

export const customAnswer = answerSchema(
  "custom_judgement",
  z.strictObject({ rationale: text(), quotes: boundedList(text()), choice: z.enum(["Y", "N"]) }),
);
