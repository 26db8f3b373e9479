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

/** What the application used for a test, by its trace. */
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
    /** Why it failed: a stable code, then words. */
    message: nullable(storableText),
    /** What the application has to do, or we, before it goes on. */
    waitingFor: nullable(text),
    /** What the application is asked: text or an object. */
    prompt: nullable(json<JsonValue>()),
    /** Null where that is `createdAt`. */
    modifiedAt: nullable(timestamp),
    /** The trace whose settling closed it, and how many steps that had then. */
    traceId: nullable(uuid),
    traceSteps: nullable(integer),
    /** What that trace used by now, or of a test that was recorded from outside the last trace that names it; in US dollars and milliseconds. */
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
