import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  bigint,
  type Column,
  double,
  foreignKey,
  integer,
  json,
  nullable,
  oneOf,
  type Row,
  table,
  text,
  timestamp,
  uuid,
} from "@ems/kit/db/table";

export type TraceRow = Row<typeof TraceEntity>;

export const TraceEntity = table(
  "experiments.trace",
  {
    applicationId: uuid,
    id: uuid,
    orgId: text,
    /** The application's own id of the trace, which steps refer to. */
    traceId: uuid,
    referenceId: nullable(text),
    testId: nullable(uuid),
    timestamp,
    metadata: json<JsonObject>(),
    /** Bytes of the trace's message without steps. */
    size: integer,
    createdAt: timestamp,
  },
  {
    uniques: [{ name: "trace_trace_id_key", columns: ["applicationId", "traceId"] }],
    indices: [
      { name: "trace_created", columns: ["applicationId", "createdAt", "id"] },
      { name: "trace_timestamp", columns: ["applicationId", "timestamp", "id"] },
      { name: "trace_test", columns: ["applicationId", "testId"] },
      { name: "trace_reference", columns: ["applicationId", "referenceId"] },
    ],
  },
);

/** Any JSON value, JSON null among them; SQL NULL when absent. */
const anyJson: Column<{ toJSON(): JsonValue } | null> = nullable(json());

export type TraceStepRow = Row<typeof TraceStepEntity>;

export const TraceStepEntity = table(
  "experiments.trace_step",
  {
    applicationId: uuid,
    traceId: uuid,
    id: uuid,
    /** A step of the trace; of OpenTelemetry's spans it may arrive later or never. */
    parentId: nullable(uuid),
    type: oneOf("llm", "tool", "retriever", "log", "group", "request", "response"),
    event: oneOf("start", "end"),
    name: text,
    timestamp,
    durationMs: nullable(double),
    inputTokens: bigint,
    outputTokens: bigint,
    input: anyJson,
    output: anyJson,
    metadata: json<JsonObject>(),
    /** Bytes of the step's message. */
    size: integer,
    /** The index among the request's steps: it orders steps of one timestamp. */
    position: integer,
    createdAt: timestamp,
  },
  {
    primaryKey: ["applicationId", "traceId", "id"],
    foreignKeys: [
      foreignKey("trace_step_trace_fkey", ["applicationId", "traceId"], "trace", ["applicationId", "traceId"]),
    ],
  },
);
