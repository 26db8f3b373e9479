import {
  answerObject,
  answerSchema,
  blockNumber,
  boundedList,
  firstOrSecond,
  flag,
  quote,
  text,
} from "../answer-schema.ts";

export const coverageAnswer = answerSchema(
  "document_coverage",
  answerObject({
    needs: boundedList(answerObject({ need: text(), passages: boundedList(blockNumber()), covered: flag("covered") })),
    reasoning: text(),
  }),
);

export const comparisonAnswer = answerSchema(
  "document_comparison",
  answerObject({
    statements: boundedList(answerObject({ passage: firstOrSecond(), statement: text(), repeated: flag("repeated") })),
    contradictions: boundedList(answerObject({ reason: text(), quote1: quote(), quote2: quote() })),
    reasoning: text(),
  }),
);

export const mappingAnswer = answerSchema(
  "document_mapping",
  answerObject({ serves: boundedList(blockNumber()), reasoning: text() }),
);
