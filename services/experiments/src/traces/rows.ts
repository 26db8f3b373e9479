// From messages to rows.

import { toJson } from "@bufbuild/protobuf";
import { type Timestamp, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { dateOf } from "@ems/kit/json/timestamp";
import type { Tenant } from "@ems/kit/tenant";
import type { Trace, TraceStep } from "@ems/proto/experiments/v1/trace_service";
import type { TraceRow, TraceStepRow } from "./entity.ts";
import { traceBytes } from "./trace-update.ts";

export function traceRow({ applicationId, orgId }: Tenant, createdAt: Date, trace: Trace): TraceRow {
  const { id, traceId, referenceId = null, testId = null, timestamp, metadata = {} } = trace;
  const size = traceBytes(trace);
  return {
    applicationId,
    orgId,
    createdAt,
    id,
    traceId,
    referenceId,
    testId,
    timestamp: required(timestamp),
    metadata,
    size,
  };
}

type StepContext = Pick<TraceStepRow, "applicationId" | "traceId" | "createdAt" | "size" | "position">;

export function stepRow(context: StepContext, step: TraceStep): TraceStepRow {
  const { id, parentId = null, name, durationMs = null, tokens, metadata = {} } = step;
  return {
    ...context,
    id,
    parentId,
    // The contract's rules list the values that the table's checks list.
    type: step.type as TraceStepRow["type"],
    event: step.event as TraceStepRow["event"],
    name,
    timestamp: required(step.timestamp),
    durationMs,
    inputTokens: String(tokens?.input ?? 0n),
    outputTokens: String(tokens?.output ?? 0n),
    input: json(step.input),
    output: json(step.output),
    metadata,
  };
}

/** Wraps a JSON value, because JSON null is a value and SQL NULL is none. */
function json(value: Value | undefined): TraceStepRow["input"] {
  return value === undefined ? null : { toJSON: () => toJson(ValueSchema, value) };
}

function required(timestamp: Timestamp | undefined): Date {
  if (timestamp === undefined) throw new Error("a trace and a step have a timestamp");
  return dateOf(timestamp);
}
