import { distinctIds } from "@ems/kit/id";
import type { Handlers } from "@ems/kit/rpc/service";
import { DocumentTestType } from "@ems/proto/experiments/v1/document_test";
import type { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import type { Deps } from "../../deps.ts";
import type { DocumentQuestionRow, DocumentTestRow } from "./entity.ts";

type Handler = Handlers<typeof DocumentTestExecutionService>["getDocumentQuestions"];
type Row = Pick<DocumentQuestionRow, "id" | "subject" | "candidates"> & Pick<DocumentTestRow, "type">;

const open = `SELECT q.id, t.type, q.subject, q.candidates FROM experiments.document_question q
  JOIN experiments.document_test t ON t.application_id = q.application_id AND t.id = q.document_test_id
  WHERE q.application_id = $1 AND q.id = ANY ($2::uuid[]) AND q.ended_at IS NULL`;

/** Returns the unanswered questions of a document test. */
export function getDocumentQuestions({ database }: Pick<Deps, "database">): Handler {
  return async ({ ids }, call) => {
    const values = [call.tenant.applicationId, distinctIds(ids)];
    const rows = await database.read<Row>(call, { name: "document-questions", text: open, values });
    return {
      questions: rows.map(({ id, type, subject, candidates }) => ({
        id,
        type: DocumentTestType[type],
        subject: { title: subject.title, text: subject.text },
        candidates: candidates.map(({ title, text }) => ({ title, text })),
      })),
    };
  };
}
