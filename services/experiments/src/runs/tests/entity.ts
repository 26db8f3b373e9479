import type { JsonValue } from "@bufbuild/protobuf";
import {
  bigint,
  boolean,
  double,
  integer,
  json,
  nullable,
  type Row,
  storableText,
  table,
  text,
  timestamp,
  uuid,
  uuids,
  withDefault,
} from "@ems/kit/db/table";
import { resultStatus, runType } from "../runs/index.ts";

export type TestRow = Row<typeof TestEntity>;

/** Usage of the application for a test, from its trace. */
export type TraceUsage = Pick<TestRow, "traceCost" | "traceInputTokens" | "traceOutputTokens" | "traceLatencyMs">;

export const noUsage: TraceUsage = {
  traceCost: null,
  traceInputTokens: null,
  traceOutputTokens: null,
  traceLatencyMs: null,
};

/** A test that was executed elsewhere. */
export type RecordedTestRow = Omit<
  TestRow,
  "message" | "waitingFor" | "prompt" | "modifiedAt" | "traceId" | "traceSteps" | keyof TraceUsage
>;

/** One execution of a task. Partitioned by month of `createdAt`. */
export const TestEntity = table(
  "experiments.test",
  {
    applicationId: uuid,
    id: uuid,
    createdAt: timestamp,
    /** Unit: millionths. */
    scoreMicro: nullable(bigint),
    taskId: uuid,
    /** The task's topic at the time of recording. */
    topicId: nullable(uuid),
    runId: uuid,
    durationMs: nullable(integer),
    passed: nullable(boolean),
    orgId: text,
    runType,
    status: resultStatus,
    /** Distinct definitions of its evaluations, for the filters of lists. */
    definitionIds: uuids,
    /** Number of evaluations that count, and of those that passed. */
    evaluationCount: withDefault(integer, 0),
    evaluationPassed: withDefault(integer, 0),
    /** Reason of the failure: a stable code, then a description. */
    message: nullable(storableText),
    /** Next step of the test, by the application or by this service. */
    waitingFor: nullable(text),
    /** Prompt sent to the application: text or an object. */
    prompt: nullable(json<JsonValue>()),
    /** Null if equal to `createdAt`. */
    modifiedAt: nullable(timestamp),
    /** Trace that closed the test, and its number of steps at completion. */
    traceId: nullable(uuid),
    traceSteps: nullable(integer),
    /** Current usage of that trace, or of the last trace that names a recorded test; US dollars and milliseconds. */
    traceCost: nullable(double),
    traceInputTokens: nullable(bigint),
    traceOutputTokens: nullable(bigint),
    traceLatencyMs: nullable(double),
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
