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
import type { Attachment } from "../attachments/index.ts";
import type { ExternalEvaluation } from "../external-evaluations/index.ts";
import type { EndUser } from "./end-user.ts";
import type { Origin } from "./origin.ts";
import type { TraceSession } from "./session.ts";

/** Data that one event or span adds to a trace. All of the data is stored, or none. */
export interface TraceUpdate {
  readonly traceId: string;
  /** Data of the trace itself; sets only fields that the stored trace lacks. */
  readonly trace?: TraceData;
  /** Steps as a flat list: each step refers to its parent, which may arrive later or never. */
  readonly steps: readonly TraceStep[];
  /**
   * Model calls that steps record, by step id. The steps contain the usage of the spans themselves, duplicate or not.
   */
  readonly calls?: ReadonlyMap<string, SpanCall>;
  /** The ids that the application's paths find, which precede those of metadata. */
  readonly ids?: TraceIds;
  /** Evaluations by other tools, which `storeUpdates` does not store. */
  readonly evaluations?: readonly ExternalEvaluation[];
  /** Binary content of the steps, which `storeUpdates` does not store. */
  readonly attachments?: readonly Attachment[];
}

/** The session and the end user of a trace. */
export interface TraceIds {
  readonly session?: TraceSession;
  readonly endUser?: EndUser;
}

export interface SpanCall {
  /**
   * The same for all spans of one call; the step's own id if no other span can record the call. Null if the step counts in
   * any case.
   */
  readonly callId: string | null;
  /** True if the step's cost was computed from prices. */
  readonly isPriced: boolean;
  /** True for a model call that ended; false if the step is no model call and has usage. */
  readonly isCall?: boolean | undefined;
  /** The part of the cache writes that the cache keeps for one hour. */
  readonly hourWriteTokens?: number | undefined;
  /** True for a span that the provider's own SDK creates. */
  readonly isSdk?: boolean | undefined;
  /** True for a span that spans of the same call are not within. */
  readonly isDetached?: boolean | undefined;
  /** Name of the model's provider. */
  readonly provider?: string | undefined;
}

/** An update after redaction. Only redacted updates are stored. */
export interface RedactedUpdate extends TraceUpdate {
  readonly isRedacted: true;
  /** The archived trace that the update's trace continues. */
  readonly continues?: string;
}

/** Data of the trace itself in storable form. */
export interface StorableTraceData extends Omit<TraceData, "referenceId" | "metadata" | "evals"> {
  readonly referenceId?: StorableText;
  readonly metadata?: StorableObject | StorableJson[];
  readonly evals?: readonly StorableObject[];
  /** Number of replaced characters in metadata and evaluations. */
  readonly replacedCharacters: number;
}

export function storableTraceData({ referenceId, metadata, evals, ...rest }: TraceData): StorableTraceData {
  const count = { replacedCharacters: 0 };
  const storable = {
    ...(referenceId !== undefined && { referenceId: makeStorable(referenceId, count) }),
    ...(metadata !== undefined && { metadata: makeWrittenJsonStorable(metadata, JSON.stringify(metadata), count) }),
    ...(evals !== undefined && {
      evals: evals.map((each) => makeWrittenJsonStorable(each, JSON.stringify(each), count)),
    }),
  };
  return { ...rest, ...storable, ...count };
}

export interface TraceData {
  /** Time of the trace. If set, steps do not change it; otherwise it is the time of the earliest step. */
  readonly timestamp?: Date;
  readonly referenceId?: string;
  readonly testId?: string;
  /** Metadata; only keys that the stored metadata does not have are added. */
  readonly metadata?: JsonObject | JsonValue[];
  readonly evals?: readonly JsonObject[];
  /** The end user that an event states, or according to the metadata before redaction. */
  readonly endUser?: EndUser;
  /** The process that created the trace. */
  readonly origin?: Origin;
  /** The session that an event states, or according to the metadata before redaction. */
  readonly session?: TraceSession;
  /** Totals to return in place of the sums over steps. */
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

/** Reason why an event or span is not stored, as a sentence for the caller. */
export interface Rejection {
  readonly error: string;
}

/** The trace is past its retention but not deleted yet. After its deletion, its id may be used for another trace. */
export const traceExpired: Rejection = { error: "The trace is past the retention of traces" };

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
