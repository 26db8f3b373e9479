import { create, fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import {
  type TraceSchema,
  type TraceStep,
  TraceStepSchema,
  type TraceSummarySchema,
} from "@ems/proto/experiments/v1/trace_service";
import type { TraceRow } from "./entity.ts";
import type { TraceStepRow } from "./step-entity.ts";
import { stepTree } from "./step-tree.ts";

/** A row of `stepsOfTrace`: JSON values are text. */
export interface StepOfTrace extends Omit<TraceStepRow, StoredOnly | "input" | "output"> {
  readonly input: string | null;
  readonly output: string | null;
}

type StoredOnly = "applicationId" | "traceId" | "size" | "position" | "createdAt";

/** A trace with its steps' totals and the first root's type and event, which are null without steps. */
export interface TraceWithTotals extends TraceRow {
  readonly type: TraceStepRow["type"] | null;
  readonly event: TraceStepRow["event"] | null;
  /** Decimals: PostgreSQL's bigint, which pg reads as text. */
  readonly inputTokens: string;
  readonly outputTokens: string;
}

/** Stands for the root of a trace without steps. */
const noRoot = { type: "group", event: "start" } as const;

export function trace(row: TraceRow, steps: readonly StepOfTrace[]): MessageInitShape<typeof TraceSchema> {
  const { type, event } = steps.find(({ parentId }) => parentId === null) ?? steps[0] ?? noRoot;
  const sum = (of: (step: StepOfTrace) => number) => BigInt(steps.reduce((total, step) => total + of(step), 0));
  return {
    ...common(row),
    type,
    event,
    tokens: { input: sum(({ inputTokens }) => inputTokens), output: sum(({ outputTokens }) => outputTokens) },
    steps: stepTree(steps.map(traceStep)),
  };
}

export function traceSummary(row: TraceWithTotals): MessageInitShape<typeof TraceSummarySchema> {
  return {
    ...common(row),
    type: row.type ?? noRoot.type,
    event: row.event ?? noRoot.event,
    tokens: { input: BigInt(row.inputTokens), output: BigInt(row.outputTokens) },
  };
}

function common({ id, traceId, applicationId, timestamp, metadata, referenceId, testId }: TraceRow) {
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

function traceStep({ parentId, durationMs, inputTokens, outputTokens, ...row }: StepOfTrace): TraceStep {
  const { id, type, event, name, metadata } = row;
  const [input, output] = [value(row.input), value(row.output)];
  return create(TraceStepSchema, {
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
