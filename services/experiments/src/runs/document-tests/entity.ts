import {
  double,
  foreignKey,
  integer,
  json,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import type { Answer, Candidate, Plan, Results } from "./question.ts";

export type DocumentTestRow = Row<typeof DocumentTestEntity>;
export type DocumentQuestionRow = Row<typeof DocumentQuestionEntity>;

export const DocumentTestEntity = table(
  "experiments.document_test",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    type: oneOf("KNOWLEDGE_COVERAGE", "MECE", "DOCS_TO_TASKS_MAPPING"),
    status: oneOf("PENDING", "IN_PROGRESS", "FAILED", "COMPLETED"),
    /** Scope of the test; set while the model answers questions. */
    plan: nullable(json<Plan>()),
    results: nullable(json<Results>()),
    meceMeanOverlap: nullable(double),
    meceMeanContradictions: nullable(double),
    message: nullable(text),
    waitingFor: nullable(text),
    quickstartId: nullable(uuid),
    questions: withDefault(integer, 0),
    questionsEnded: withDefault(integer, 0),
    /** Time at which the test is offered again; null when the test has ended. */
    dueAt: nullable(timestamp),
    /** Number of times that the test was claimed. */
    attempt: withDefault(integer, 0),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "document_test_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "document_test_due", columns: ["dueAt"], where: "due_at IS NOT NULL" },
      {
        name: "document_test_running",
        columns: ["applicationId", "type"],
        where: "(status = ANY (ARRAY['PENDING'::text, 'IN_PROGRESS'::text]))",
        unique: true,
      },
    ],
    foreignKeys: [foreignKey("document_test_quickstart_fkey", ["applicationId", "quickstartId"], "quickstart")],
  },
);

/** A question for the model; deleted when its test ends. */
export const DocumentQuestionEntity = table(
  "experiments.document_question",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    documentTestId: uuid,
    position: integer,
    subject: json<Candidate>(),
    candidates: json<readonly Candidate[]>(),
    answer: nullable(json<Answer>()),
    /** Reason why the answer is missing. */
    message: nullable(text),
    endedAt: nullable(timestamp),
  },
  {
    indices: [{ name: "document_question_test", columns: ["applicationId", "documentTestId", "position"] }],
    foreignKeys: [foreignKey("document_question_test_fkey", ["applicationId", "documentTestId"], "document_test")],
  },
);
