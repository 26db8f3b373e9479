import { z } from "@ems/kit/config";
import { answerSchema, listOf, numberOf, text } from "../answer-schema.ts";

export const coverageAnswer = answerSchema(
  "document_coverage",
  z.strictObject({
    needs: listOf(z.strictObject({ need: text(), passages: listOf(numberOf()), covered: z.boolean() })),
    reasoning: text(),
  }),
);

export const comparisonAnswer = answerSchema(
  "document_comparison",
  z.strictObject({
    statements: listOf(z.strictObject({ passage: z.literal([1, 2]), statement: text(), repeated: z.boolean() })),
    contradictions: listOf(z.strictObject({ reason: text(), quote1: text(), quote2: text() })),
    reasoning: text(),
  }),
);

export const mappingAnswer = answerSchema(
  "document_mapping",
  z.strictObject({ serves: listOf(numberOf()), reasoning: text() }),
);
