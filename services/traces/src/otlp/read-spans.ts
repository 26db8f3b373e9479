// Pure: converts the spans of a request to steps, each with its trace. Rejecting an invalid span affects no other span.

import type { JsonObject } from "@bufbuild/protobuf";
import { shortName } from "@ems/kit/edges";
import { derivedId } from "@ems/kit/id";
import { isTooLargeJson, jsonTextLimits } from "@ems/kit/readers";
import type { ExportTraceServiceRequest } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { traceUuid } from "@ems/traces-client";
import type { Attachment } from "../attachments/index.ts";
import type { DecideNoise, NoiseDecision } from "../ingest-settings/index.ts";
import { type Rejection, rankOrigin, rankSpan } from "../traces/index.ts";
import { isChatter } from "./chatter.ts";
import { Reading } from "./conventions/read-conventions.ts";
import { readOrigin } from "./read-origin.ts";
import { readSpan, type Span } from "./span.ts";
import { type StepFields, toStepFields } from "./to-step-fields.ts";
import { TraceFacts } from "./trace-facts.ts";
import { toAttributes } from "./wire/attributes.ts";

export interface SpanStep {
  readonly trace: SpanTrace;
  readonly id: string;
  readonly parentId: string | undefined;
  readonly span: Pick<Span, "startMs" | "startNs" | "endNs" | "durationNs">;
  /** Response id of the model call that the span records. */
  readonly responseId: string | undefined;
  readonly fields: StepFields;
  readonly attachments: readonly Attachment[];
  /** Names of attributes whose JSON is too large to parse; they stay plain text. */
  readonly plainTexts: readonly string[];
  /** Attributes whose value is refused, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
  /** Provider of the model, whose prices apply. */
  readonly provider: string | undefined;
  /** True if the span states usage of the spans within it. */
  readonly isSum: boolean;
  /** True if the provider's own SDK created the span, rather than an instrumentation. */
  readonly isSdk: boolean;
  /** True if callbacks created the span, so that spans of the same call are not within it. */
  readonly isDetached: boolean;
  /** True if the span only keeps a protocol working (chatter.ts). */
  readonly isChatter: boolean;
  /** Decision of the application's rules on the span. */
  readonly noise: NoiseDecision;
}

export interface SpanTrace {
  /** OpenTelemetry's trace id: 32 hexadecimal digits in lower case. */
  readonly digits: string;
  /** The trace's id in this service. */
  readonly id: string;
  readonly facts: TraceFacts;
}

/** Yields one result per span, in order. Reads lazily, so that reading can be interrupted. */
export function* readSpans(
  request: ExportTraceServiceRequest,
  decideNoise: DecideNoise = () => undefined,
): Generator<SpanStep | Rejection> {
  const traces = new Map<string, SpanTrace>();
  const getTrace = (digits: string, resource: JsonObject) => {
    const trace = traces.get(digits) ?? { digits, id: traceUuid(digits), facts: new TraceFacts(resource) };
    traces.set(digits, trace);
    return trace;
  };
  for (const { resource, scopeSpans } of request.resourceSpans) {
    const attributes = toAttributes(resource?.attributes ?? []);
    const named = readOrigin(attributes);
    for (const { scope, spans } of scopeSpans) {
      for (const message of spans) {
        const span = readSpan(message);
        if ("error" in span) {
          yield span;
          continue;
        }
        const reading = new Reading(span.attributes);
        const trace = getTrace(span.traceId, attributes);
        const rank = { isChild: span.parentSpanId !== undefined, startUs: span.startNs / 1_000n };
        trace.facts.add(reading, rankOrigin(named, rankSpan(rank)));
        yield {
          trace,
          id: stepId(trace.id, span.spanId),
          parentId: span.parentSpanId && stepId(trace.id, span.parentSpanId),
          span,
          responseId: reading.get("responseId"),
          fields: toStepFields(span, reading, scope),
          // Must come after the fields, which read the events.
          attachments: span.extraction.attachments,
          plainTexts: plainTexts(span.attributes),
          refused: reading.refused,
          provider: shortName(reading.get("provider")),
          isSum: reading.get("isSum") ?? false,
          isChatter: isChatter(message.name, span.attributes, scope?.name ?? ""),
          noise: decideNoise({ name: message.name, attributes: span.attributes, resource: attributes }),
          isSdk: scope?.name.startsWith(anthropicSdk) ?? false,
          isDetached: callbackScope.test(scope?.name ?? ""),
        };
      }
    }
  }
}

/** Begins the scope of the spans that Anthropic's SDKs create. */
const anthropicSdk = "com.anthropic.sdk.";

/** Scopes of instrumentations that use LangChain's callbacks, which cannot make their span the current one. */
const callbackScope = /lang(?:chain|graph|smith)/i;

function plainTexts(attributes: JsonObject): string[] {
  return Object.keys(attributes).filter((name) => {
    const value = attributes[name];
    return typeof value === "string" && isTooLargeJson(value, jsonTextLimits);
  });
}

/** Returns the id of a span's step. Log records refer to steps by the same id. */
export function stepId(traceId: string, spanId: string): string {
  return derivedId("otel-span", traceId, spanId);
}
