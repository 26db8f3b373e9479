// Pure: the spans of a request as steps, each with its trace. A bad span is rejected alone.

import type { JsonObject } from "@bufbuild/protobuf";
import { derivedId } from "@ems/kit/id";
import { isTooLargeJson, jsonTextLimits } from "@ems/kit/readers";
import type { ExportTraceServiceRequest } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { traceUuid } from "@ems/traces-client";
import type { Rejection } from "../traces/index.ts";
import { Reading } from "./conventions/read-conventions.ts";
import { readSpan, type Span } from "./span.ts";
import { type StepFields, stepOf } from "./step-of.ts";
import { TraceFacts } from "./trace-of.ts";
import { attributesOf } from "./wire/attributes.ts";

export interface SpanStep {
  readonly trace: SpanTrace;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly span: Pick<Span, "startMs" | "endMs" | "durationMs">;
  /** Of the model's call that it records. */
  readonly responseId: string | undefined;
  readonly fields: StepFields;
  /** Attributes with JSON that is too large to be read: they stay plain texts. */
  readonly plainTexts: readonly string[];
}

export interface SpanTrace {
  /** OpenTelemetry's id: 32 hexadecimal digits, lower case. */
  readonly digits: string;
  /** The id here. */
  readonly id: string;
  readonly facts: TraceFacts;
}

/** One for each span, in their order; made as they are taken, so that reading can be interrupted. */
export function* readSpans(request: ExportTraceServiceRequest): Generator<SpanStep | Rejection> {
  const traces = new Map<string, SpanTrace>();
  const traceOf = (digits: string, resource: JsonObject) => {
    const trace = traces.get(digits) ?? { digits, id: traceUuid(digits), facts: new TraceFacts(resource) };
    traces.set(digits, trace);
    return trace;
  };
  for (const { resource, scopeSpans } of request.resourceSpans) {
    const attributes = attributesOf(resource?.attributes ?? []);
    for (const { scope, spans } of scopeSpans) {
      for (const message of spans) {
        const span = readSpan(message);
        if ("error" in span) {
          yield span;
          continue;
        }
        const reading = new Reading(span.attributes);
        const trace = traceOf(span.traceId, attributes);
        trace.facts.add(reading);
        yield {
          trace,
          id: stepId(trace.id, span.spanId),
          parentId: span.parentSpanId && stepId(trace.id, span.parentSpanId),
          span,
          responseId: reading.get("responseId"),
          fields: stepOf(span, reading, scope),
          plainTexts: plainTexts(span.attributes),
        };
      }
    }
  }
}

function plainTexts(attributes: JsonObject): string[] {
  return Object.keys(attributes).filter((name) => {
    const value = attributes[name];
    return typeof value === "string" && isTooLargeJson(value, jsonTextLimits);
  });
}

/** The id of a span's step; log records name it too. */
export function stepId(traceId: string, spanId: string): string {
  return derivedId("otel-span", traceId, spanId);
}
