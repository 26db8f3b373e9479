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

/** `createdAt` also selects the month's partition of the trace's steps. */
export const TraceEntity = table(
  "traces.trace",
  {
    applicationId: uuid,
    id: uuid,
    /** Second id of traces that were stored when `id` and `traceId` differed. */
    earlierId: nullable(uuid),
    /** The archived trace that this one continues: this one has its later steps. */
    continues: nullable(uuid),
    orgId: text,
    referenceId: nullable(storableText),
    testId: nullable(uuid),
    timestamp,
    /** Type of the root step. */
    type: text,
    event: nullable(text),
    /** Start of the root step, and whether it names a parent. */
    rootAt: nullable(timestamp),
    isRootChild: boolean,
    hasError: boolean,
    /** Number of stored steps, and their bytes. */
    steps: integer,
    bytes: integer,
    /** Earliest start and latest end of a step. */
    startedAt: nullable(timestamp),
    endedAt: nullable(timestamp),
    stepCount: integer,
    totalCost: double,
    totalDurationMs: bigint,
    totalPromptTokens: bigint,
    totalCompletionTokens: bigint,
    /** Bit mask of totals that a trace event stated, which steps do not change (totals.ts). */
    pinned: integer,
    metadata: storableJson<StorableObject | StorableJson[]>(),
    evals: nullable(storableJson<StorableObject[]>()),
    /** The application's end user, and a key of fixed length (end-user.ts). */
    endUser: nullable(storableText),
    endUserKey: nullable(uuid),
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
 * Named as in TraceStep. The id is present only if it is no UUID, the status only if it is not success; the end is in
 * milliseconds. Spans of model calls have their own usage and cost in `own`; `usage` and `costAmount` are the counted
 * ones.
 */
export interface StepFields extends StorableObject {}

const startOrEnd: Column<"start" | "end" | null> = {
  options: { type: "text", nullable: true },
  values: ["start", "end"],
};

export type TraceStepRow = Row<typeof TraceStepEntity>;

/** Partitioned by `month`, the month of the trace's arrival: all steps of a trace are in one partition. */
export const TraceStepEntity = table(
  "traces.trace_step",
  {
    applicationId: uuid,
    month: timestamp,
    traceId: uuid,
    id: uuid,
    /** A step of the trace, which may arrive later or never. */
    parentId: nullable(uuid),
    timestamp,
    /** Index in the trace's order of arrival, which orders steps with the same timestamp. */
    position: integer,
    /** Approximate bytes of the step's message. */
    size: integer,
    type: oneOf(...stepTypes),
    event: startOrEnd,
    /** The input, under any name that the kind uses: the content of a log is its input. */
    input: nullable(storableText),
    output: nullable(storableText),
    fields: storableJson<StepFields>(),
    /**
     * The model call that a span records (duplicate-spans.ts); its own id without a response id. Null for other steps.
     */
    callId: nullable(uuid),
  },
  {
    primaryKey: ["applicationId", "traceId", "id", "month"],
    indices: [
      {
        name: "trace_step_call",
        columns: ["applicationId", "traceId", "callId"],
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
