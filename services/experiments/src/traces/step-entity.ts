import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { EntitySchema } from "typeorm";

export interface TraceStepRow {
  applicationId: string;
  /** The `traceId` of its trace. */
  traceId: string;
  id: string;
  /** A step of the trace; of OpenTelemetry's spans it may arrive later or never. */
  parentId: string | null;
  type: "llm" | "tool" | "retriever" | "log" | "group" | "request" | "response";
  event: "start" | "end";
  name: string;
  timestamp: Date;
  durationMs: number | null;
  inputTokens: number;
  outputTokens: number;
  /** Any JSON value, JSON null among them; null when absent. */
  input: { toJSON(): JsonValue } | null;
  output: { toJSON(): JsonValue } | null;
  metadata: JsonObject;
  /** Bytes of the step's message. */
  size: number;
  /** The index among the request's steps: it orders steps of one timestamp. */
  position: number;
  createdAt: Date;
}

const key = { primary: true, primaryKeyConstraintName: "trace_step_pkey" } as const;

export const TraceStepEntity = new EntitySchema<TraceStepRow>({
  name: "TraceStep",
  tableName: "trace_step",
  schema: "experiments",
  columns: {
    applicationId: { type: "uuid", name: "application_id", ...key },
    traceId: { type: "uuid", name: "trace_id", ...key },
    id: { type: "uuid", ...key },
    parentId: { type: "uuid", name: "parent_id", nullable: true },
    type: { type: "text" },
    event: { type: "text" },
    name: { type: "text" },
    timestamp: { type: "timestamptz", precision: 3 },
    durationMs: { type: "double precision", name: "duration_ms", nullable: true },
    inputTokens: { type: "bigint", name: "input_tokens" },
    outputTokens: { type: "bigint", name: "output_tokens" },
    input: { type: "json", nullable: true },
    output: { type: "json", nullable: true },
    metadata: { type: "json" },
    size: { type: "integer" },
    position: { type: "integer" },
    createdAt: { type: "timestamptz", name: "created_at", precision: 3 },
  },
  checks: [
    {
      name: "trace_step_type_check",
      expression: "type IN ('llm', 'tool', 'retriever', 'log', 'group', 'request', 'response')",
    },
    { name: "trace_step_event_check", expression: "event IN ('start', 'end')" },
  ],
  foreignKeys: [
    {
      name: "trace_step_trace_fkey",
      target: "Trace",
      columnNames: ["applicationId", "traceId"],
      referencedColumnNames: ["applicationId", "traceId"],
    },
  ],
});
