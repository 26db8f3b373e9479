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

/** Also says in which month's partition a trace's steps are: that of `createdAt`. */
export const TraceEntity = table(
  "traces.trace",
  {
    applicationId: uuid,
    id: uuid,
    /** The id of traces from when `id` and `traceId` differed. */
    earlierId: nullable(uuid),
    /** The archived trace whose later steps this one has. */
    continues: nullable(uuid),
    orgId: text,
    referenceId: nullable(storableText),
    testId: nullable(uuid),
    timestamp,
    /** The root step's. */
    type: text,
    event: nullable(text),
    /** Start of the root step, and whether it names a parent. */
    rootAt: nullable(timestamp),
    isRootChild: boolean,
    hasError: boolean,
    /** Steps stored, and their bytes. */
    steps: integer,
    bytes: integer,
    /** The earliest start and the latest end of a step. */
    startedAt: nullable(timestamp),
    endedAt: nullable(timestamp),
    stepCount: integer,
    totalCost: double,
    totalDurationMs: bigint,
    totalPromptTokens: bigint,
    totalCompletionTokens: bigint,
    /** Bits of what a trace event gave and steps do not change (totals.ts). */
    pinned: integer,
    metadata: storableJson<StorableObject | StorableJson[]>(),
    evals: nullable(storableJson<StorableObject[]>()),
    /** The application's user, and a key of them that is as long for each (end-user.ts). */
    endUser: nullable(storableText),
    endUserKey: nullable(uuid),
    /** Characters of the trace and its steps that were replaced by U+FFFD. */
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
 * By the names of TraceStep; an id only when it is no UUID, a status other than success, the end in milliseconds. Spans of model
 * calls have `own`, what they say themselves of tokens and cost: `usage` and `costAmount` are what counts.
 */
export interface StepFields extends StorableObject {}

const startOrEnd: Column<"start" | "end" | null> = {
  options: { type: "text", nullable: true },
  values: ["start", "end"],
};

export type TraceStepRow = Row<typeof TraceStepEntity>;

/** Partitioned by `month`, which is that of the trace's arrival: all steps of a trace are in one partition. */
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
    /** The index in the trace's order of arrival: it orders steps of one timestamp. */
    position: integer,
    /** About the bytes of the step's message. */
    size: integer,
    type: oneOf(...stepTypes),
    event: startOrEnd,
    /** Whatever the kind calls them: the content of a log is its input. */
    input: nullable(storableText),
    output: nullable(storableText),
    fields: storableJson<StepFields>(),
    /** The model call that a span records (duplicate-spans.ts); its own id without a response id. Null for other steps. */
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
