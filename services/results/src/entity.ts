import type { JsonValue } from "@bufbuild/protobuf";
import {
  bigint,
  boolean,
  double,
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

/** An evaluation that another system made. */
export type RecordedEvaluationRow = Pick<
  EvaluationRow,
  | "applicationId"
  | "id"
  | "createdAt"
  | "scoreMicro"
  | "scoreExact"
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

/** A test's result by one definition. Partitioned by the month of `createdAt`, the creation time of the test. */
export const EvaluationEntity = table(
  "experiments.evaluation",
  {
    applicationId: uuid,
    id: uuid,
    createdAt: timestamp,
    /** Score in millionths. */
    scoreMicro: nullable(bigint),
    /** The score, if it is below 0.1 and not a whole number of millionths; else null. */
    scoreExact: nullable(double),
    testId: uuid,
    runId: uuid,
    taskId: uuid,
    topicId: nullable(uuid),
    definitionId: uuid,
    passed: nullable(boolean),
    orgId: text,
    /** Type of the definition when the evaluation was recorded. */
    definitionType: oneOf("NATURALNESS", "STYLE", "RECALL", "FACT", "CUSTOM", "OUTPUT_MATCH"),
    status: oneOf("PENDING", "IN_PROGRESS", "COMPLETED", "FAILED", "SKIPPED"),
    /** Reason for a skipped or failed evaluation. */
    message: nullable(storableText),
    /** Explanation of the score, in its recorded form. */
    results: nullable(storableJson<StorableObject>()),
    /** Reason why the evaluation is pending. */
    waitingFor: nullable(text),
    /** Expected answer of the nearest link: a text or a list of texts. */
    expected: nullable(json<JsonValue>()),
    /** Time of the last change; null if it equals `createdAt`. */
    modifiedAt: nullable(timestamp),
    definitionVersion: nullable(integer),
    judgeVersion: nullable(text),
    modelConnectionId: nullable(uuid),
    model: nullable(text),
    inputTokens: nullable(bigint),
    outputTokens: nullable(bigint),
    /** Cost in millionths. */
    costMicro: nullable(bigint),
    durationMs: nullable(integer),
    attempts: nullable(integer),
    /** Id of the evaluation, in a rerun, that replaced this one. */
    replacedBy: nullable(uuid),
    /** Maximum additional cost of calls that were sent but not answered, in millionths. */
    uncertainCostMicro: nullable(bigint),
    /** Number of tokens that were estimated from the length of texts. */
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
