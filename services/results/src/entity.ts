import type { JsonValue } from "@bufbuild/protobuf";
import {
  bigint,
  boolean,
  integer,
  json,
  nullable,
  oneOf,
  type Row,
  storableJson,
  storableText,
  table,
  text,
  timestamp,
  uuid,
} from "@ems/kit/db/table";
import type { StorableObject } from "@ems/kit/readers";

export type EvaluationRow = Row<typeof EvaluationEntity>;

/** An evaluation that was made elsewhere. */
export type RecordedEvaluationRow = Pick<
  EvaluationRow,
  | "applicationId"
  | "id"
  | "createdAt"
  | "scoreMicro"
  | "testId"
  | "runId"
  | "taskId"
  | "topicId"
  | "definitionId"
  | "passed"
  | "orgId"
  | "definitionType"
  | "status"
  | "message"
  | "results"
>;

/** A test's result by one definition. Partitioned by month of `createdAt`, which is its test's. */
export const EvaluationEntity = table(
  "experiments.evaluation",
  {
    applicationId: uuid,
    id: uuid,
    createdAt: timestamp,
    /** In millionths. */
    scoreMicro: nullable(bigint),
    testId: uuid,
    runId: uuid,
    taskId: uuid,
    topicId: nullable(uuid),
    definitionId: uuid,
    passed: nullable(boolean),
    orgId: text,
    /** The definition's type when the evaluation was recorded. */
    definitionType: oneOf("NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"),
    status: oneOf("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "SKIPPED"),
    /** Why it was skipped or failed. */
    message: nullable(storableText),
    /** How the score came about, as it was recorded. */
    results: nullable(storableJson<StorableObject>()),
    /** What it waits for. */
    waitingFor: nullable(text),
    /** What the nearest link expects of the answer: a text, or a list of texts. */
    expected: nullable(json<JsonValue>()),
    /** Null where that is `createdAt`. */
    modifiedAt: nullable(timestamp),
    definitionVersion: nullable(integer),
    judgeVersion: nullable(text),
    modelConnectionId: nullable(uuid),
    model: nullable(text),
    inputTokens: nullable(bigint),
    outputTokens: nullable(bigint),
    /** In millionths. */
    costMicro: nullable(bigint),
    durationMs: nullable(integer),
    attempts: nullable(integer),
    /** The evaluation of a rerun that took its place. */
    replacedBy: nullable(uuid),
    /** The most that sent calls without an answer may have cost besides, in millionths. */
    uncertainCostMicro: nullable(bigint),
    /** Part of the tokens that is estimated from texts. */
    estimatedTokens: nullable(bigint),
  },
  {
    primaryKey: ["applicationId", "id", "createdAt"],
    indices: [
      { name: "evaluation_id", columns: ["applicationId", "id"] },
      { name: "evaluation_test", columns: ["applicationId", "testId"] },
    ],
  },
);
