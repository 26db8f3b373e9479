import type { Fact } from "@ems/kit/events/content";
import { buildMessage } from "@ems/kit/message";
import { DocumentTestCompletedSchema } from "@ems/proto/events/v1/event";
import { DocumentTestSchema } from "@ems/proto/experiments/v1/document_test";
import type { DocumentTestRow } from "./entity.ts";

export const documentTest = ({ questions, questionsEnded, ...row }: DocumentTestRow) =>
  buildMessage(DocumentTestSchema, {
    ...row,
    progress: { completed: BigInt(questionsEnded), total: BigInt(questions) },
  });

export const documentTestCompleted = (row: DocumentTestRow): Fact => ({
  case: "documentTestCompleted",
  value: buildMessage(DocumentTestCompletedSchema, row),
});
