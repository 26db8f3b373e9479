// A trace or steps on their way into the database: what ingestion, in whatever form it came, is turned into.

import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { type Trace, TraceSchema, type TraceStep, TraceStepSchema } from "@ems/proto/experiments/v1/trace_service";

/** What one event says; it is stored as a whole or not at all. */
export interface Draft {
  /** The application's own id of the trace. */
  readonly traceId: string;
  /** The trace without steps, stored when there is none of that id yet; absent where it has to be known. */
  readonly trace?: Trace;
  /** All steps side by side; each names its parent. */
  readonly steps: readonly TraceStep[];
  /** Whether the parent of a step has to be known; a span may come before its parent. */
  readonly needsParent: boolean;
}

/** Why something is not stored, in a sentence for the caller. */
export interface Fault {
  readonly error: string;
}

/** The most steps of a trace. */
export const traceStepsMax = 10_000;
export const tooManySteps: Fault = { error: `A trace has at most ${traceStepsMax} steps` };

/** The most bytes of a trace with its steps: it has to fit an answer. */
export const traceBytesMax = 3 * 1024 * 1024;
export const traceTooLarge: Fault = { error: "A trace has at most 3 MiB" };

/** The most bytes of a trace without its steps: a hundred of them have to fit an answer. */
export const traceMetadataBytesMax = 16 * 1024;
export const metadataTooLarge: Fault = { error: "The metadata of a trace have at most 16 KiB" };

/** Bytes that lie around a message inside of another. */
const frameBytes = 8;

/** What a trace without its steps, or a step, takes of the limit. */
export function traceBytes(trace: Trace): number {
  return toBinary(TraceSchema, trace).length + frameBytes;
}

export function stepBytes(step: TraceStep): number {
  return toBinary(TraceStepSchema, step).length + frameBytes;
}

export function newTrace(init: MessageInitShape<typeof TraceSchema>): Trace {
  return create(TraceSchema, init);
}

export function newStep(init: MessageInitShape<typeof TraceStepSchema>): TraceStep {
  return create(TraceStepSchema, init);
}
