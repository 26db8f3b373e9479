import {
  bigint,
  boolean,
  type Column,
  double,
  integer,
  nullable,
  oneOf,
  type Row,
  storableJson,
  storableText,
  table,
  text,
  timestamp,
  uuid,
  withDefault,
} from "@ems/kit/db/table";
import type { StorableJson, StorableObject } from "@ems/kit/readers";

export type TraceRow = Row<typeof TraceEntity>;

/** A trace. `createdAt` also determines the monthly partition of its steps. */
export const TraceEntity = table(
  "traces.trace",
  {
    applicationId: uuid,
    id: uuid,
    /** Second id of traces from the time when `id` and `traceId` could differ. */
    earlierId: nullable(uuid),
    /** The archived trace that this one continues by storing its later steps. */
    continues: nullable(uuid),
    orgId: text,
    referenceId: nullable(storableText),
    testId: nullable(uuid),
    timestamp,
    /** Type of the root step. */
    type: text,
    event: nullable(text),
    /** Start of the root step, and whether that step names a parent. */
    rootAt: nullable(timestamp),
    isRootChild: boolean,
    hasError: boolean,
    /** Number of stored steps, and their total bytes. */
    steps: integer,
    bytes: integer,
    /** Earliest start and latest end of all steps. */
    startedAt: nullable(timestamp),
    endedAt: nullable(timestamp),
    stepCount: integer,
    totalCost: double,
    totalDurationMs: bigint,
    /** Microseconds: of `startedAt` and `endedAt` since 1970, and the duration. Null for traces of older versions. */
    startedUs: nullable(bigint),
    endedUs: nullable(bigint),
    durationUs: nullable(bigint),
    totalPromptTokens: bigint,
    totalCompletionTokens: bigint,
    totalCachedTokens: withDefault(bigint, "0"),
    totalCacheWriteTokens: withDefault(bigint, "0"),
    totalReasoningTokens: withDefault(bigint, "0"),
    /** Numbers of model calls with and without a known cost. Older traces count none of either. */
    pricedSteps: withDefault(integer, 0),
    unpricedSteps: withDefault(integer, 0),
    /** True if all steps decide what counts: a step that is no model call has usage, or a call is detached (count-calls.ts). */
    holdsUsage: withDefault(boolean, false),
    /** Bit mask of the fields that a trace event or a path stated, and that other data does not change (totals.ts). */
    pinned: integer,
    metadata: storableJson<StorableObject | StorableJson[]>(),
    evals: nullable(storableJson<StorableObject[]>()),
    /** The end user of the application, and a key of fixed length (end-user.ts). */
    endUser: nullable(storableText),
    endUserKey: nullable(uuid),
    /** The process that created the trace, and ranks that make the values independent of the order of arrival (origin.ts). */
    service: nullable(storableText),
    version: nullable(storableText),
    environment: nullable(storableText),
    serviceRank: nullable(bigint),
    versionRank: nullable(bigint),
    environmentRank: nullable(bigint),
    /** The session by its id in the application, and the id that is derived from it. */
    session: nullable(storableText),
    sessionId: nullable(uuid),
    /** Number of characters of the trace and its steps that were replaced by U+FFFD. */
    replacedCharacters: withDefault(integer, 0),
    createdAt: timestamp,
    modifiedAt: timestamp,
  },
  {
    indices: [
      { name: "trace_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "trace_timestamp", columns: ["applicationId", "timestamp", "id"] },
      { name: "trace_error", columns: ["applicationId", "hasError", "createdAt", "id"] },
      { name: "trace_cost", columns: ["applicationId", "totalCost", "id"] },
      { name: "trace_duration", columns: ["applicationId", "totalDurationMs", "id"] },
      {
        name: "trace_evaluated",
        columns: ["applicationId", "createdAt", "id"],
        where: "((evals IS NOT NULL) OR (test_id IS NOT NULL))",
      },
      { name: "trace_test", columns: ["applicationId", "testId"] },
      { name: "trace_reference", columns: ["applicationId", "referenceId"] },
      {
        name: "trace_end_user",
        columns: ["applicationId", "endUserKey", "createdAt", "id"],
        where: "(end_user_key IS NOT NULL)",
      },
      {
        name: "trace_service",
        columns: ["applicationId", "service", "createdAt", "id"],
        where: "(service IS NOT NULL)",
      },
      {
        name: "trace_version",
        columns: ["applicationId", "version", "createdAt", "id"],
        where: "(version IS NOT NULL)",
      },
      {
        name: "trace_environment",
        columns: ["applicationId", "environment", "createdAt", "id"],
        where: "(environment IS NOT NULL)",
      },
      {
        name: "trace_session",
        columns: ["applicationId", "sessionId", "createdAt", "id"],
        where: "(session_id IS NOT NULL)",
      },
      {
        name: "trace_earlier",
        columns: ["applicationId", "earlierId"],
        unique: true,
        where: "(earlier_id IS NOT NULL)",
      },
    ],
  },
);

export const stepTypes = [
  "llm",
  "tool",
  "retriever",
  "reranker",
  "agent",
  "embedding",
  "guardrail",
  "evaluator",
  "log",
  "group",
  "request",
  "response",
] as const;

/**
 * Fields of a step, named as in TraceStep. The id is set only if it is not a UUID, and the status only if it is not
 * success. The end is in milliseconds. In spans of model calls, `own` contains the span's own usage and cost; `usage`,
 * `costAmount` and `isUnpriced` are those that count.
 */
export interface StepFields extends StorableObject {}

const startOrEnd: Column<"start" | "end" | null> = {
  options: { type: "text", nullable: true },
  values: ["start", "end"],
};

export type TraceStepRow = Row<typeof TraceStepEntity>;

/** A step. Partitioned by the month in which its trace arrived, so that all steps of a trace are in one partition. */
export const TraceStepEntity = table(
  "traces.trace_step",
  {
    applicationId: uuid,
    month: timestamp,
    traceId: uuid,
    id: uuid,
    /** Parent step in the same trace, which may arrive later or never. */
    parentId: nullable(uuid),
    timestamp,
    /** Index in the trace's order of arrival; sorts steps with equal timestamps. */
    position: integer,
    /** Approximate size of the step's message in bytes. */
    size: integer,
    type: oneOf(...stepTypes),
    event: startOrEnd,
    /** The input, whatever the kind of step calls it: the content of a log is its input. */
    input: nullable(storableText),
    output: nullable(storableText),
    fields: storableJson<StepFields>(),
    /**
     * The model call that a span records, or whose usage it has (count-calls.ts); its own id if there is no response id.
     * Else null.
     */
    callId: nullable(uuid),
  },
  {
    primaryKey: ["applicationId", "traceId", "id", "month"],
    indices: [
      {
        name: "trace_step_call",
        columns: ["applicationId", "callId", "traceId"],
        where: "(call_id <> id)",
      },
      {
        name: "trace_step_call_parent",
        columns: ["applicationId", "traceId", "parentId"],
        where: "((call_id IS NOT NULL) AND (parent_id IS NOT NULL))",
      },
    ],
  },
);
