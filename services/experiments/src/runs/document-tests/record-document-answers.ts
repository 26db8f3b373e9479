import type { Transaction } from "@ems/kit/db/transaction";
import type { Handlers } from "@ems/kit/rpc/service";
import type {
  DocumentAnswer,
  DocumentFinding,
  DocumentTestExecutionService,
} from "@ems/proto/experiments/v1/document_test_execution_service";
import type { Deps } from "../../deps.ts";
import { endTest } from "./end-test.ts";
import {
  DocumentQuestionEntity,
  type DocumentQuestionRow,
  DocumentTestEntity,
  type DocumentTestRow,
} from "./entity.ts";
import type { Answer } from "./question.ts";

type Handler = Handlers<typeof DocumentTestExecutionService>["recordDocumentAnswers"];
type Ended = { readonly questionId: string } & Pick<DocumentQuestionRow, "answer" | "message">;
type Answers = ReadonlyMap<string, DocumentAnswer["outcome"]>;

const testsOfQuestions = `SELECT DISTINCT document_test_id AS id FROM experiments.document_question
  WHERE application_id = $1 AND id = ANY ($2::uuid[]) AND ended_at IS NULL ORDER BY 1`;

const record = `UPDATE experiments.document_question q SET answer = n.answer, message = n.message, ended_at = $3
  FROM unnest($4::uuid[], $5::json[], $6::text[]) n (id, answer, message)
  WHERE q.application_id = $1 AND q.document_test_id = $2 AND q.id = n.id AND q.ended_at IS NULL`;

const countOpen = `SELECT count(*)::int AS open FROM experiments.document_question
  WHERE application_id = $1 AND document_test_id = $2 AND ended_at IS NULL`;

/** Stores each answer of the model once; the last answer ends the test. */
export function recordDocumentAnswers(deps: Pick<Deps, "database" | "clock" | "newId" | "publish">): Handler {
  return async ({ answers }, call) => {
    const { applicationId } = call.tenant;
    const byId: Answers = new Map(answers.map(({ id, outcome }) => [id.toLowerCase(), outcome]));
    const values = [applicationId, [...byId.keys()]];
    const tests = await deps.database.read<{ id: string }>(call, {
      name: "tests-of-questions",
      text: testsOfQuestions,
      values,
    });
    if (tests.length === 0) return {};
    return deps.database.change(call, async (tx) => {
      for (const { id } of tests) {
        const test = await tx.findOne(DocumentTestEntity, { applicationId, id }, { lock: "UPDATE" });
        if (test?.status === "IN_PROGRESS") await recordOfTest(deps, tx, test, byId);
      }
      return {};
    });
  };
}

async function recordOfTest(
  deps: Pick<Deps, "clock" | "newId" | "publish">,
  tx: Transaction,
  test: DocumentTestRow,
  answers: Answers,
): Promise<void> {
  const { applicationId, id } = test;
  const now = deps.clock.now();
  const ended = [...answers].flatMap(([questionId, { case: kind, value }]): Ended[] => {
    if (kind === "finding") return [{ questionId, answer: toAnswer(value), message: null }];
    return kind === "failure" ? [{ questionId, answer: null, message: value }] : [];
  });
  if (ended.length > 0) {
    tx.defer(record, [
      applicationId,
      id,
      now,
      ended.map(({ questionId }) => questionId),
      ended.map(({ answer }) => (answer === null ? null : JSON.stringify(answer))),
      ended.map(({ message }) => message),
    ]);
  }
  // Counts first, because the texts are needed only when no question is open.
  const [counted] = await tx.query<{ open: number }>(countOpen, [applicationId, id]);
  const open = counted?.open ?? 0;
  if (open === 0) {
    const where = { applicationId, documentTestId: id };
    const questions = await tx.find(DocumentQuestionEntity, where, { orderBy: { position: "ASC" } });
    return endTest(deps, tx, test, questions);
  }
  const [waits] = [...answers.values()].flatMap(({ case: kind, value }) => (kind === "waitingFor" ? [value] : []));
  const waitingFor = ended.length > 0 ? null : (waits ?? test.waitingFor);
  const change = { waitingFor, questionsEnded: test.questions - open, modifiedAt: now };
  tx.deferUpdate(DocumentTestEntity, { applicationId, id }, change);
}

function toAnswer({ score, reasoning, matches, contradictions }: DocumentFinding): Answer {
  const found = contradictions.map(({ reason, passageA, passageB }) => ({ reason, passageA, passageB }));
  return { score, reasoning, matches: [...new Set(matches)], contradictions: found };
}
