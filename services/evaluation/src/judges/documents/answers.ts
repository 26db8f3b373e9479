import { z } from "@ems/kit/config";
import { answerSchema, blockNumber, boundedList, text } from "../answer-schema.ts";

export const coverageAnswer = answerSchema(
  "document_coverage",
  z.strictObject({
    needs: boundedList(z.strictObject({ need: text(), passages: boundedList(blockNumber()), covered: z.boolean() })),
    reasoning: text(),
  }),
);

export const comparisonAnswer = answerSchema(
  "document_comparison",
  z.strictObject({
    statements: boundedList(z.strictObject({ passage: z.literal([1, 2]), statement: text(), repeated: z.boolean() })),
    contradictions: boundedList(z.strictObject({ reason: text(), quote1: text(), quote2: text() })),
    reasoning: text(),
  }),
);

export const mappingAnswer = answerSchema(
  "document_mapping",
  z.strictObject({ serves: boundedList(blockNumber()), reasoning: text() }),
);
