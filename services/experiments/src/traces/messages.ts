// From the rows of traces to their messages.

import { fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { TraceSchema, TraceStep, TraceSummarySchema } from "@ems/proto/experiments/v1/trace_service";
import type { TraceRow } from "./entity.ts";
import type { TraceStepRow } from "./step-entity.ts";
import { stepTree } from "./step-tree.ts";
import { newStep } from "./trace-draft.ts";

/** A trace as it is read. */
export type ReadTrace = Omit<TraceRow, "orgId" | "size" | "createdAt">;

/** A step as it is read, in the order of its trace. */
export type ReadStep = Omit<TraceStepRow, "applicationId" | "traceId" | "size" | "position" | "createdAt">;

/** A trace of a list, with what its steps come to; the root's columns are null as long as there are none. */
export interface SummedTrace extends ReadTrace {
  readonly type: TraceStepRow["type"] | null;
  readonly event: TraceStepRow["event"] | null;
  /** Decimals: PostgreSQL's bigint. */
  readonly inputTokens: string;
  readonly outputTokens: string;
}

/** A trace without steps has begun, and nothing is known of it. */
const noRoot = { type: "group", event: "start" } as const;

export function trace(row: ReadTrace, steps: readonly ReadStep[]): MessageInitShape<typeof TraceSchema> {
  const { type, event } = steps.find(({ parentId }) => parentId === null) ?? steps[0] ?? noRoot;
  const sum = (of: (step: ReadStep) => number) => BigInt(steps.reduce((total, step) => total + of(step), 0));
  return {
    ...common(row),
    type,
    event,
    tokens: { input: sum(({ inputTokens }) => inputTokens), output: sum(({ outputTokens }) => outputTokens) },
    steps: stepTree(steps.map(traceStep)),
  };
}

export function traceSummary(row: SummedTrace): MessageInitShape<typeof TraceSummarySchema> {
  return {
    ...common(row),
    type: row.type ?? noRoot.type,
    event: row.event ?? noRoot.event,
    tokens: { input: BigInt(row.inputTokens), output: BigInt(row.outputTokens) },
  };
}

function common({ id, traceId, applicationId, timestamp, metadata, referenceId, testId }: ReadTrace) {
  return {
    id,
    traceId,
    applicationId,
    timestamp: timestampFromDate(timestamp),
    metadata,
    ...(referenceId !== null && { referenceId }),
    ...(testId !== null && { testId }),
  };
}

function traceStep({ parentId, durationMs, inputTokens, outputTokens, ...row }: ReadStep): TraceStep {
  const { id, type, event, name, metadata } = row;
  const [input, output] = [value(row.input), value(row.output)];
  return newStep({
    id,
    ...(parentId !== null && { parentId }),
    type,
    event,
    name,
    timestamp: timestampFromDate(row.timestamp),
    ...(durationMs !== null && { durationMs }),
    tokens: { input: BigInt(inputTokens), output: BigInt(outputTokens) },
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    metadata,
  });
}

function value(text: string | null): Value | undefined {
  return text === null ? undefined : fromJson(ValueSchema, JSON.parse(text));
}
