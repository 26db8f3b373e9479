import type { JsonObject } from "@bufbuild/protobuf";
import { bigint, boolean, json, nullable, oneOf, type Row, table, text, timestamp, uuid } from "@ems/kit/db/table";

export type EvaluationRow = Row<typeof EvaluationEntity>;

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
    message: nullable(text),
    /** How the score came about, as it was recorded. */
    results: nullable(json<JsonObject>()),
  },
  {
    primaryKey: ["applicationId", "id", "createdAt"],
    indices: [
      { name: "evaluation_id", columns: ["applicationId", "id"] },
      { name: "evaluation_test", columns: ["applicationId", "testId"] },
    ],
  },
);
