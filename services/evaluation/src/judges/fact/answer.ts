import { z } from "@ems/kit/config";
import { answerSchema, listOf, text } from "../answer-schema.ts";

export const factAnswer = answerSchema(
  "fact_judgement",
  z.strictObject({
    claims: listOf(z.strictObject({ claim: text(), quote: text(), supported: z.boolean() })),
    missing: listOf(z.strictObject({ claim: text(), quote: text() })),
  }),
);
