import { messageOf } from "@ems/kit/message";
import { DocumentTestSchema } from "@ems/proto/experiments/v1/document_test";
import type { DocumentTestRow } from "./entity.ts";

export const documentTest = ({ questions, questionsEnded, ...row }: DocumentTestRow) =>
  messageOf(DocumentTestSchema, {
    ...row,
    progress: { completed: BigInt(questionsEnded), total: BigInt(questions) },
  });
