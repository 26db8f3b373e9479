import { z } from "@ems/kit/config";
import { answerSchema, boundedList, text } from "../answer-schema.ts";

export const factAnswer = answerSchema(
  "fact_judgement",
  z.strictObject({
    claims: boundedList(z.strictObject({ claim: text(), quote: text(), supported: z.boolean() })),
    missing: boundedList(z.strictObject({ claim: text(), quote: text() })),
  }),
);
