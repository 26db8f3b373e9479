import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import {
  makeStorable,
  makeWrittenJsonStorable,
  type StorableJson,
  type StorableObject,
  type StorableText,
} from "@ems/kit/readers";
import type { TraceStep } from "@ems/proto/experiments/v1/trace";
import {
  sizeText,
  stepBytesMax,
  traceBytesMax,
  traceEvalsBytesMax,
  traceMetadataBytesMax,
  traceStepsMax,
} from "@ems/proto/limits";
import type { EndUser } from "./end-user.ts";

/** What one event or span adds to a trace: stored as a whole, or rejected. */
export interface TraceUpdate {
  readonly traceId: string;
  /** What is said of the trace itself: fills what the stored trace does not have yet. */
  readonly trace?: TraceData;
  /** Flat: each step names its parent, which may come later or never. */
  readonly steps: readonly TraceStep[];
  /** Model calls that spans record, by the ids of their steps. The steps have what their spans say, duplicate or not. */
  readonly calls?: ReadonlyMap<string, SpanCall>;
}

export interface SpanCall {
  /** Equal for the spans of one call; the step's own id where no other span can have it. */
  readonly callId: string;
  /** The step's cost comes from the price table. */
  readonly isPriced: boolean;
}

/** An update without what the application's rules replace: only such are stored. */
export interface RedactedUpdate extends TraceUpdate {
  readonly isRedacted: true;
  /** The archived trace that the update's trace continues. */
  readonly continues?: string;
}

/** What is stored of a trace itself. */
export interface StorableTraceData extends Omit<TraceData, "referenceId" | "metadata" | "evals"> {
  readonly referenceId?: StorableText;
  readonly metadata?: StorableObject | StorableJson[];
  readonly evals?: readonly StorableObject[];
  /** Of its metadata and evaluations. */
  readonly replacedCharacters: number;
}

export function storableTraceData({ referenceId, metadata, evals, ...others }: TraceData): StorableTraceData {
  const count = { replacedCharacters: 0 };
  const storable = {
    ...(referenceId !== undefined && { referenceId: makeStorable(referenceId, count) }),
    ...(metadata !== undefined && { metadata: makeWrittenJsonStorable(metadata, JSON.stringify(metadata), count) }),
    ...(evals !== undefined && {
      evals: evals.map((each) => makeWrittenJsonStorable(each, JSON.stringify(each), count)),
    }),
  };
  return { ...others, ...storable, ...count };
}

export interface TraceData {
  /** When given, steps do not change it; otherwise that of the earliest step. */
  readonly timestamp?: Date;
  readonly referenceId?: string;
  readonly testId?: string;
  /** Keys that the stored metadata do not have are added. */
  readonly metadata?: JsonObject | JsonValue[];
  readonly evals?: readonly JsonObject[];
  /** Whom the metadata named before they were redacted. */
  readonly endUser?: EndUser;
  /** Answered instead of the sums of steps. */
  readonly totals?: Partial<Totals>;
}

export interface Totals {
  readonly hasError: boolean;
  readonly stepCount: number;
  readonly totalCost: number;
  readonly totalDurationMs: number;
  readonly totalPromptTokens: number;
  readonly totalCompletionTokens: number;
}

/** Why an event or span is not stored, in a sentence for the caller. */
export interface Rejection {
  readonly error: string;
}

/** Its trace is past its retention, and not deleted yet: another of the same id can come after that. */
export const traceExpired: Rejection = { error: "The trace is older than traces are kept" };

export const tooManySteps: Rejection = { error: `A trace has at most ${traceStepsMax} steps` };

export const traceTooLarge: Rejection = { error: `A trace has at most ${sizeText(traceBytesMax)}` };

export const stepTooLarge: Rejection = { error: `A step has at most ${sizeText(stepBytesMax)}` };

export const metadataTooLarge: Rejection = {
  error: `metadata: the metadata of a trace have at most ${sizeText(traceMetadataBytesMax)}`,
};

export const evalsTooLarge: Rejection = {
  error: `evals: the evaluations of a trace have at most ${sizeText(traceEvalsBytesMax)}`,
};

export function isMetadataTooLarge(metadata: JsonObject | readonly JsonValue[]): boolean {
  return jsonBytes(metadata) > traceMetadataBytesMax;
}

export function areEvalsTooLarge(evals: readonly JsonObject[]): boolean {
  return jsonBytes(evals) > traceEvalsBytesMax;
}

function jsonBytes(json: unknown): number {
  return Buffer.byteLength(JSON.stringify(json));
}
