import { messageBytes } from "@ems/kit/message-bytes";
import { type Trace, TraceSchema, type TraceStep, TraceStepSchema } from "@ems/proto/experiments/v1/trace_service";
import { answerBytesMax, sizeText, traceMetadataBytesMax, traceStepsMax } from "@ems/proto/limits";

/** What one event or span adds to a trace: stored as a whole, or rejected. */
export interface TraceUpdate {
  /** The application's own id of the trace. */
  readonly traceId: string;
  /** The trace without steps, inserted unless its id is stored; absent where the trace has to exist. */
  readonly trace?: Trace;
  /** Flat: each step names its parent. */
  readonly steps: readonly TraceStep[];
  /** Spans may arrive before their parent, single steps may not. */
  readonly requiresParent: boolean;
}

/** Why an event or span is not stored, in a sentence for the caller. */
export interface Rejection {
  readonly error: string;
}

export const tooManySteps: Rejection = { error: `A trace has at most ${traceStepsMax} steps` };

export const traceTooLarge: Rejection = { error: `A trace has at most ${sizeText(answerBytesMax)}` };

export const metadataTooLarge: Rejection = {
  error: `The metadata of a trace have at most ${sizeText(traceMetadataBytesMax)}`,
};

/** The framing of a message within another: tag and length. */
const frameBytes = 8;

/** The size of a trace without its steps. */
export function traceBytes(trace: Trace): number {
  return messageBytes(TraceSchema, trace) + frameBytes;
}

export function stepBytes(step: TraceStep): number {
  return messageBytes(TraceStepSchema, step) + frameBytes;
}
