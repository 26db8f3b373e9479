// Makes a job of each question of a document test; each job makes a call of its own.

import { enumName } from "@ems/kit/enum";
import type { Random } from "@ems/kit/id";
import { DocumentTestTypeSchema } from "@ems/proto/experiments/v1/document_test";
import type { DocumentQuestion } from "@ems/proto/experiments/v1/document_test_execution_service";
import type { Deps } from "../deps.ts";
import { answerDocumentQuestion } from "../judges/index.ts";
import { callOptions, toTenant } from "./execution.ts";
import { type Attempt, failed, type Result, runAttempt, savingModel } from "./judge-test.ts";
import { addJobs, type Job } from "./store.ts";

/** Timeout for choosing questions, which is long because all documents are read. */
const planningMs = 30_000;

/** Creates a job for each open question of a document test. Idempotent: existing jobs do not change. */
export async function addQuestions(
  { documentTests, relayDatabase, clock, newId }: Pick<Deps, "documentTests" | "relayDatabase" | "clock" | "newId">,
  { applicationId, orgId, testId }: Job,
): Promise<void> {
  const options = { ...callOptions(newId, toTenant({ applicationId, orgId })), timeoutMs: planningMs };
  const { questionIds } = await documentTests.planDocumentTest({ id: testId }, options);
  const common = { applicationId, orgId, testId, kind: "QUESTION" as const, needsModel: true };
  const jobs = questionIds.map((id) => ({ ...common, id }));
  await addJobs(relayDatabase, clock.now(), jobs);
}

/** Answers one question of a document test. */
export async function askQuestion(
  { type, subject, candidates }: DocumentQuestion,
  random: Random,
  attempt: Attempt,
): Promise<Result> {
  const { replies: stored, signal } = attempt;
  const model = savingModel(attempt);
  if (model === undefined) return failed(attempt, "no_model_connection: The application has no model connection");
  const question = {
    type: enumName<"KNOWLEDGE_COVERAGE" | "MECE" | "DOCS_TO_TASKS_MAPPING">(DocumentTestTypeSchema, type),
    subject: subject ?? { title: "", text: "" },
    candidates,
  };
  return runAttempt(attempt, async () => {
    const found = await answerDocumentQuestion(question, model, { random, signal, stored });
    if (typeof found === "string") return { kind: "failure", reason: found.slice(0, 1_000) };
    return { kind: "finding", finding: found };
  });
}
