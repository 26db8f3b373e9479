import {
  bigint,
  boolean,
  integer,
  nullable,
  type Row,
  table,
  text,
  timestamp,
  uuid,
  uuids,
  withDefault,
} from "@ems/kit/db/table";
import { resultStatus, runType } from "../runs/index.ts";

export type TestRow = Row<typeof TestEntity>;

/** One execution of a task. Partitioned by month of `createdAt`. */
export const TestEntity = table(
  "experiments.test",
  {
    applicationId: uuid,
    id: uuid,
    createdAt: timestamp,
    /** In millionths. */
    scoreMicro: nullable(bigint),
    taskId: uuid,
    /** The task's topic when the test was recorded. */
    topicId: nullable(uuid),
    runId: uuid,
    durationMs: nullable(integer),
    passed: nullable(boolean),
    orgId: text,
    runType,
    status: resultStatus,
    /** The distinct definitions of its evaluations, for the filters of lists. */
    definitionIds: uuids,
    /** How many of its evaluations count, and passed. */
    evaluationCount: withDefault(integer, 0),
    evaluationPassed: withDefault(integer, 0),
  },
  {
    primaryKey: ["applicationId", "id", "createdAt"],
    indices: [
      { name: "test_id", columns: ["applicationId", "id"] },
      { name: "test_run", columns: ["applicationId", "runId", "createdAt"] },
      { name: "test_task", columns: ["applicationId", "taskId", "createdAt"] },
    ],
  },
);
