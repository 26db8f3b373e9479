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

/** Resources that the application used for a test, from the test's trace. */
export type TraceUsage = Pick<
  TestRow,
  | "traceCost"
  | "traceInputTokens"
  | "traceOutputTokens"
  | "traceLatencyMs"
  | "traceCachedTokens"
  | "traceCacheWriteTokens"
  | "traceReasoningTokens"
  | "traceUnpricedSteps"
>;

export const noUsage: TraceUsage = {
  traceCost: null,
  traceInputTokens: null,
  traceOutputTokens: null,
  traceLatencyMs: null,
  traceCachedTokens: null,
  traceCacheWriteTokens: null,
  traceReasoningTokens: null,
  traceUnpricedSteps: null,
};

/** A test that was executed outside the product and recorded. */
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
    /** In millionths. */
    scoreMicro: nullable(bigint),
    /** The score, if it is below 0.1 and not a whole number of millionths; else null. */
    scoreExact: nullable(double),
    taskId: uuid,
    /** The task's topic at the time of recording. */
    topicId: nullable(uuid),
    runId: uuid,
    durationMs: nullable(integer),
    passed: nullable(boolean),
    orgId: text,
    runType,
    status: resultStatus,
    /** Distinct definitions of the test's evaluations, for filters of lists. */
    definitionIds: uuids,
    /** Numbers of evaluations with a verdict, and of those that passed. */
    evaluationCount: withDefault(integer, 0),
    evaluationPassed: withDefault(integer, 0),
    /** Cause of the outcome ERRORED; null for other outcomes. */
    errorCause: nullable(oneOf("APPLICATION", "CONFIGURATION", "JUDGE")),
    /** Reason why the test failed: a stable code, then a description. */
    message: nullable(storableText),
    /** Next step of the test, which the application or this service takes. */
    waitingFor: nullable(text),
    /** Prompt sent to the application: text or an object. */
    prompt: nullable(json<JsonValue>()),
    /** Time of the last change; null if equal to `createdAt`. */
    modifiedAt: nullable(timestamp),
    /** Trace that closed the test, and the trace's number of steps when it completed. */
    traceId: nullable(uuid),
    traceSteps: nullable(integer),
    /** Current usage of that trace, with its known cost, or of the last trace that names a recorded test; in US dollars and milliseconds. */
    traceCost: nullable(double),
    traceInputTokens: nullable(bigint),
    traceOutputTokens: nullable(bigint),
    traceLatencyMs: nullable(double),
    traceCachedTokens: nullable(bigint),
    traceCacheWriteTokens: nullable(bigint),
    traceReasoningTokens: nullable(bigint),
    /** Number of model calls without a known cost. Null for usage that was copied before they were counted. */
    traceUnpricedSteps: nullable(integer),
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
