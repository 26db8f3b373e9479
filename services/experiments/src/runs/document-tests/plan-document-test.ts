import { idAt } from "@ems/kit/id";
import { type Call, forward } from "@ems/kit/rpc/call";
import type { Handlers } from "@ems/kit/rpc/service";
import type { DocumentTestExecutionService } from "@ems/proto/experiments/v1/document_test_execution_service";
import type { Deps } from "../../deps.ts";
import { QuickstartEntity } from "../../experiments/quickstarts/index.ts";
import { type Chosen, chooseQuestions } from "./choose-questions.ts";
import { endTest } from "./end-test.ts";
import {
  DocumentQuestionEntity,
  type DocumentQuestionRow,
  DocumentTestEntity,
  type DocumentTestRow,
} from "./entity.ts";
import { documentTestById } from "./get-document-test.ts";
import { documentTestCompleted } from "./messages.ts";
import { readSources } from "./read-sources.ts";

type Handler = Handlers<typeof DocumentTestExecutionService>["planDocumentTest"];

type PlanDeps = Pick<Deps, "database" | "clock" | "newId" | "publish" | "documents" | "tasks" | "references">;

const openQuestions = `SELECT id FROM experiments.document_question
  WHERE application_id = $1 AND document_test_id = $2 AND ended_at IS NULL ORDER BY position`;

/** Plans a test's questions once; a concurrent call returns the questions that the first call planned. */
export function planDocumentTest(deps: PlanDeps): Handler {
  return async ({ id }, call) => {
    const { database } = deps;
    const test = await documentTestById.read(database, call, id);
    if (test.status === "PENDING") {
      const chosen = await chooseQuestions(test.type, await readSources(deps, call, test.type));
      const quickstartId = test.quickstartId ?? (test.type === "MECE" ? await registerOwnQuickstart(deps, call) : null);
      await writePlan(deps, call, test.id, chosen, quickstartId);
    }
    const values = [call.tenant.applicationId, test.id];
    const rows = await database.read<{ id: string }>(call, { name: "open-questions", text: openQuestions, values });
    return { questionIds: rows.map((row) => row.id) };
  };
}

function writePlan(
  deps: PlanDeps,
  call: Call,
  id: string,
  chosen: Chosen | string,
  quickstartId: string | null,
): Promise<void> {
  const { applicationId, orgId } = call.tenant;
  const now = deps.clock.now();
  return deps.database.withTenant(call, async (tx) => {
    const test = await tx.findOne(DocumentTestEntity, { applicationId, id }, { lock: "UPDATE" });
    if (test?.status !== "PENDING") return;
    if (typeof chosen === "string") {
      const change = { status: "FAILED" as const, message: chosen, dueAt: null, modifiedAt: now };
      tx.deferUpdate(DocumentTestEntity, { applicationId, id }, change);
      return deps.publish(tx, call.tenant, documentTestCompleted({ ...test, ...change }));
    }
    const { questions, plan } = chosen;
    if (quickstartId !== null && test.quickstartId === null) {
      const words = { title: "Document tests", description: "Contradictions that tests of documents found." };
      const times = { createdAt: now, modifiedAt: now };
      await tx.insert(QuickstartEntity, { applicationId, id: quickstartId, orgId, ...words, ...times }, "ignore");
    }
    const planned: Partial<DocumentTestRow> = { plan, quickstartId, questions: questions.length };
    if (questions.length === 0) return endTest(deps, tx, { ...test, ...planned }, []);
    const rows = questions.map((question, position): DocumentQuestionRow => {
      const ids = { applicationId, orgId, documentTestId: id, id: deps.newId() };
      return { ...ids, ...question, position, answer: null, message: null, endedAt: null };
    });
    await tx.insert(DocumentQuestionEntity, rows);
    tx.deferUpdate(DocumentTestEntity, { applicationId, id }, { ...planned, status: "IN_PROGRESS", modifiedAt: now });
  });
}

/** Returns the application's default quickstart for contradictions. Its id is always the same. */
async function registerOwnQuickstart({ references }: PlanDeps, call: Call): Promise<string> {
  const id = idAt(new Date(0), `document tests of ${call.tenant.applicationId}`);
  await references.registerQuickstart({ id }, forward(call));
  return id;
}
