// Reads OTLP/JSON (ExportTraceServiceRequest). Pure. A bad span is rejected alone, and unknown or malformed fields are
// skipped: exporters send much that is not used here.

import { create, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { timestampFromMs, ValueSchema } from "@bufbuild/protobuf/wkt";
import { definedFields } from "@ems/kit/patch";
import { TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import {
  derivedId,
  isMetadataTooLarge,
  payloadsOf,
  type Rejection,
  type TraceData,
  type TraceUpdate,
  traceUuid,
} from "../traces/index.ts";
import { attributesOf, isObject, text } from "./attributes.ts";
import { contentOf, nameOf, spanMetadata, tokensOf, typeOf } from "./semantic-conventions.ts";

export interface OtlpUpdates {
  /** One for each span, in their order. */
  readonly updates: readonly (TraceUpdate | Rejection)[];
  /** What is wrong with the request outside of its spans. */
  readonly warnings: readonly string[];
}

export function readOtlp(payload: JsonObject): OtlpUpdates {
  const warnings: string[] = [];
  const list = (parent: JsonObject, name: string): JsonValue[] => {
    const value = parent[name] ?? [];
    if (Array.isArray(value)) return value;
    warnings.push(`${name} must be an array`);
    return [];
  };
  const objects = (parent: JsonObject, name: string) => list(parent, name).filter(isObject);

  const traces = new Map<string, TraceData>();
  const updates = objects(payload, "resourceSpans").flatMap((resourceSpans) => {
    const { resource } = resourceSpans;
    const resourceAttributes = isObject(resource) ? attributesOf(resource.attributes) : {};
    return objects(resourceSpans, "scopeSpans").flatMap((scopeSpans) => {
      const scope = isObject(scopeSpans.scope) ? scopeSpans.scope : {};
      return list(scopeSpans, "spans").map((json): TraceUpdate | Rejection => {
        const span = isObject(json) ? readSpan(json) : { error: "A span must be an object" };
        if ("error" in span) return span;
        return updateOf(span, scope, traceOf(span, resourceAttributes, traces));
      });
    });
  });
  return { updates, warnings };
}

interface Span {
  readonly json: JsonObject;
  /** Hexadecimal, lower case. */
  readonly traceId: string;
  readonly spanId: string;
  readonly startMs: number;
  readonly durationMs: number | undefined;
}

function readSpan(json: JsonObject): Span | Rejection {
  const traceId = hexId(json.traceId, 32);
  if (traceId === undefined) return { error: "traceId must be 32 hexadecimal digits, not all zero" };
  const spanId = hexId(json.spanId, 16);
  if (spanId === undefined) return { error: "spanId must be 16 hexadecimal digits, not all zero" };
  const start = unixNanos(json.startTimeUnixNano);
  if (start === undefined) return { error: "startTimeUnixNano must be nanoseconds since 1970" };
  const end = unixNanos(json.endTimeUnixNano);
  if (end !== undefined && end < start) return { error: "A span must not end before it starts" };
  const durationMs = end === undefined ? undefined : Number(end - start) / 1e6;
  return { json, traceId, spanId, startMs: Number(start / 1_000_000n), durationMs };
}

/** The span's trace, described by its first span's resource. */
function traceOf(span: Span, resourceAttributes: JsonObject, traces: Map<string, TraceData>): TraceData {
  const traceId = traceUuid(span.traceId);
  const existing = traces.get(traceId);
  if (existing !== undefined) return existing;
  // A resource of too many attributes must not cost the spans.
  const metadata = isMetadataTooLarge(resourceAttributes) ? {} : resourceAttributes;
  const trace = { metadata, referenceId: span.traceId };
  traces.set(traceId, trace);
  return trace;
}

function updateOf(span: Span, scope: JsonObject, trace: TraceData): TraceUpdate {
  const { json, spanId, startMs, durationMs } = span;
  const traceId = traceUuid(span.traceId);
  const attributes = attributesOf(json.attributes);
  const type = typeOf(attributes);
  const parent = hexId(json.parentSpanId, 16);
  const { input, output, rest } = contentOf(attributes);
  const tokens = tokensOf(type, attributes);
  const names = payloadsOf(type);
  const step = create(TraceStepSchema, {
    id: stepUuid(traceId, spanId),
    type,
    status: "success",
    name: nameOf(type, text(json.name) ?? "", attributes),
    timestamp: timestampFromMs(startMs),
    metadata: fromJson(ValueSchema, { ...rest, "otel.span_id": spanId, ...spanMetadata(json, scope) }),
    ...definedFields({
      event: type !== "llm" ? undefined : durationMs === undefined ? "start" : "end",
      parentId: parent && stepUuid(traceId, parent),
      durationMs: durationMs === undefined ? undefined : BigInt(Math.round(durationMs)),
      usage:
        tokens.input + tokens.output === 0n
          ? undefined
          : { promptTokens: tokens.input, completionTokens: tokens.output },
      [names.input]: contentText(input),
      [names.output]: contentText(output),
    }),
  });
  return { traceId, trace, steps: [step] };
}

function contentText(content: JsonValue | undefined): string | undefined {
  return content === undefined || typeof content === "string" ? content : JSON.stringify(content);
}

function stepUuid(traceId: string, spanId: string): string {
  return derivedId("otel-span", traceId, spanId);
}

/** Lower-case digits; all zeros are no id. */
function hexId(value: JsonValue | undefined, length: number): string | undefined {
  const digits = text(value)?.toLowerCase();
  const isId = digits !== undefined && digits.length === length && /^[0-9a-f]+$/.test(digits) && /[^0]/.test(digits);
  return isId ? digits : undefined;
}

/** fixed64: exporters send a text, since JSON numbers do not hold all of it. 0 means unset. */
function unixNanos(value: JsonValue | undefined): bigint | undefined {
  const isText = typeof value === "string" && /^\d{1,20}$/.test(value);
  const isNumber = typeof value === "number" && Number.isInteger(value);
  const nanos = isText || isNumber ? BigInt(value) : 0n;
  return nanos > 0n && nanos < 2n ** 64n ? nanos : undefined;
}
