import { create, fromJson, type MessageInitShape } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { messageOf } from "@ems/kit/message";
import {
  TraceSchema,
  type TraceStep,
  TraceStepSchema,
  TraceSummarySchema,
} from "@ems/proto/experiments/v1/trace_service";
import type { TraceRow, TraceStepRow } from "./entity.ts";
import { stepTree } from "./step-tree.ts";

/** A row of `stepsOfTrace`. */
export interface StepOfTrace
  extends Omit<TraceStepRow, StoredOnly | "inputTokens" | "outputTokens" | "input" | "output"> {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** JSON as text. */
  readonly input: string | null;
  readonly output: string | null;
}

type StoredOnly = "applicationId" | "traceId" | "size" | "position" | "createdAt";

/** A trace with its steps' totals and the first root's type and event, which are null without steps. */
export interface TraceWithTotals extends TraceRow {
  readonly type: TraceStepRow["type"] | null;
  readonly event: TraceStepRow["event"] | null;
  readonly inputTokens: string;
  readonly outputTokens: string;
}

/** Stands for the root of a trace without steps. */
const noRoot = { type: "group", event: "start" } as const;

export function trace(row: TraceRow, steps: readonly StepOfTrace[]): MessageInitShape<typeof TraceSchema> {
  const { type, event } = steps.find(({ parentId }) => parentId === null) ?? steps[0] ?? noRoot;
  const sum = (of: (step: StepOfTrace) => number) => BigInt(steps.reduce((total, step) => total + of(step), 0));
  const tokens = { input: sum(({ inputTokens }) => inputTokens), output: sum(({ outputTokens }) => outputTokens) };
  return messageOf(TraceSchema, { ...row, type, event, tokens, steps: stepTree(steps.map(traceStep)) });
}

export function traceSummary(row: TraceWithTotals): MessageInitShape<typeof TraceSummarySchema> {
  const { type, event } = row;
  const tokens = { input: BigInt(row.inputTokens), output: BigInt(row.outputTokens) };
  return messageOf(TraceSummarySchema, { ...row, type: type ?? noRoot.type, event: event ?? noRoot.event, tokens });
}

function traceStep({ inputTokens, outputTokens, input, output, ...row }: StepOfTrace): TraceStep {
  const tokens = { input: BigInt(inputTokens), output: BigInt(outputTokens) };
  const fields = { ...row, tokens, input: value(input), output: value(output), steps: [] };
  return create(TraceStepSchema, messageOf(TraceStepSchema, fields));
}

function value(json: string | null): Value | undefined {
  return json === null ? undefined : fromJson(ValueSchema, JSON.parse(json));
}
