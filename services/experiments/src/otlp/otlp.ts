// OpenTelemetry's spans into drafts: OTLP as JSON (ExportTraceServiceRequest) with the semantic conventions for generative
// AI. Pure. An exporter sends much that is not used here, and newer ones will send more: what is not known is passed over.

import { fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { timestampFromMs, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { NewId } from "@ems/kit/id";
import type { Trace } from "@ems/proto/experiments/v1/trace_service";
import {
  type Draft,
  derivedId,
  type Fault,
  newStep,
  newTrace,
  traceBytes,
  traceMetadataBytesMax,
} from "../traces/index.ts";
import { contentOf, nameOf, notesOf, tokensOf, typeOf } from "./gen-ai.ts";
import { attributesOf, isObject, text } from "./values.ts";

export interface ReadOtlp {
  /** One for each span, in their order. */
  readonly drafts: readonly (Draft | Fault)[];
  /** What is wrong with the request outside of its spans. */
  readonly warnings: readonly string[];
}

export function readOtlp(payload: JsonObject, newId: NewId): ReadOtlp {
  const warnings: string[] = [];
  const list = (value: JsonValue | undefined, what: string): JsonValue[] => {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    warnings.push(`${what} must be an array`);
    return [];
  };
  const objects = (value: JsonValue | undefined, what: string) => list(value, what).filter(isObject);

  const traces = new Map<string, Trace>();
  const drafts = objects(payload.resourceSpans, "resourceSpans").flatMap(({ resource, scopeSpans }) => {
    const resourceAttributes = isObject(resource) ? attributesOf(resource.attributes) : {};
    return objects(scopeSpans, "scopeSpans").flatMap(({ scope, spans }) =>
      list(spans, "spans").map((span): Draft | Fault => {
        const read = isObject(span) ? readSpan(span) : { error: "A span must be an object" };
        if ("error" in read) return read;
        return draftOf(read, isObject(scope) ? scope : {}, traceOf(read, resourceAttributes, traces, newId));
      }),
    );
  });
  return { drafts, warnings };
}

interface Span {
  readonly span: JsonObject;
  /** Hexadecimal, lower case. */
  readonly traceDigits: string;
  readonly spanDigits: string;
  readonly startMs: number;
  readonly durationMs: number | undefined;
}

function readSpan(span: JsonObject): Span | Fault {
  const traceDigits = digitsOf(span.traceId, 32);
  if (traceDigits === undefined) return { error: "traceId must be 32 hexadecimal digits, not all zero" };
  const spanDigits = digitsOf(span.spanId, 16);
  if (spanDigits === undefined) return { error: "spanId must be 16 hexadecimal digits, not all zero" };
  const start = nanosOf(span.startTimeUnixNano);
  if (start === undefined) return { error: "startTimeUnixNano must be nanoseconds since 1970" };
  const end = nanosOf(span.endTimeUnixNano);
  if (end !== undefined && end < start) return { error: "A span must not end before it starts" };
  const durationMs = end === undefined ? undefined : Number(end - start) / 1e6;
  return { span, traceDigits, spanDigits, startMs: Number(start / 1_000_000n), durationMs };
}

/** The trace that the span belongs to, made of the first of its spans; it begins with the earliest. */
function traceOf(
  { traceDigits, startMs }: Span,
  resourceAttributes: JsonObject,
  traces: Map<string, Trace>,
  newId: NewId,
): Trace {
  const traceId = traceUuid(traceDigits);
  const timestamp = timestampFromMs(startMs);
  const known = traces.get(traceId);
  if (known !== undefined) {
    const isEarlier =
      known.timestamp === undefined || startMs < Number(known.timestamp.seconds) * 1000 + known.timestamp.nanos / 1e6;
    if (isEarlier) known.timestamp = timestamp;
    return known;
  }
  const made = newTrace({ id: newId(), traceId, timestamp, metadata: resourceAttributes, referenceId: traceDigits });
  // What describes a process at length is no reason to lose what it did.
  if (traceBytes(made) > traceMetadataBytesMax) made.metadata = {};
  traces.set(traceId, made);
  return made;
}

function draftOf({ span, traceDigits, spanDigits, startMs, durationMs }: Span, scope: JsonObject, trace: Trace): Draft {
  const attributes = attributesOf(span.attributes);
  const type = typeOf(attributes);
  const parentDigits = digitsOf(span.parentSpanId, 16);
  const { input, output, rest } = contentOf(attributes);
  const step = newStep({
    id: stepUuid(traceDigits, spanDigits),
    ...(parentDigits !== undefined && { parentId: stepUuid(traceDigits, parentDigits) }),
    type,
    event: durationMs === undefined ? "start" : "end",
    name: nameOf(type, text(span.name) ?? "", attributes),
    timestamp: timestampFromMs(startMs),
    ...(durationMs !== undefined && { durationMs }),
    tokens: tokensOf(type, attributes),
    ...(input !== undefined && { input: fromJson(ValueSchema, input) }),
    ...(output !== undefined && { output: fromJson(ValueSchema, output) }),
    metadata: { ...rest, "otel.span_id": spanDigits, ...notesOf(span, scope) },
  });
  return { traceId: trace.traceId, trace, steps: [step], needsParent: false };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The digits with dashes when that is a UUID, else one made from them: most trace ids are 16 random bytes. */
export function traceUuid(digits: string): string {
  const dashed = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return uuid.test(dashed) || /^f+$/.test(digits) ? dashed : derivedId("otel-trace", digits);
}

function stepUuid(traceDigits: string, spanDigits: string): string {
  return derivedId("otel-span", traceDigits, spanDigits);
}

/** An id as lower-case digits; one that is all zero is none. */
function digitsOf(value: JsonValue | undefined, count: number): string | undefined {
  const digits = text(value)?.toLowerCase();
  const isId = digits !== undefined && digits.length === count && /^[0-9a-f]+$/.test(digits) && /[^0]/.test(digits);
  return isId ? digits : undefined;
}

/** 64 bits, of which JSON numbers cannot hold all: exporters send text. 0 stands for nothing. */
function nanosOf(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return fitting(BigInt(value));
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return fitting(BigInt(value));
  return undefined;
}

function fitting(nanos: bigint): bigint | undefined {
  return nanos > 0n && nanos < 2n ** 64n ? nanos : undefined;
}
