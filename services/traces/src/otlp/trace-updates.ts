// Converts the steps of spans to updates of stored traces.

import { create } from "@bufbuild/protobuf";
import { toValue } from "@ems/kit/json/free-value";
import { timestampFromNs } from "@ems/kit/json/timestamp";
import type { GetPrice } from "@ems/prices";
import { type TraceStep, TraceStepSchema } from "@ems/proto/experiments/v1/trace";
import { callKey } from "../external-evaluations/index.ts";
import {
  isMetadataTooLarge,
  type Rejection,
  type SpanCall,
  type TraceData,
  type TraceUpdate,
  usageMessage,
} from "../traces/index.ts";
import type { SpanStep, SpanTrace } from "./read-spans.ts";

/** Yields one update per span, in order, lazily. Each update contains all data that the request has about its trace. */
export function* traceUpdates(
  results: readonly (SpanStep | Rejection)[],
  findPrice: GetPrice,
): Generator<TraceUpdate | Rejection> {
  const traces = new Map<SpanTrace, TraceData>();
  for (const result of results) {
    if ("error" in result) {
      yield result;
      continue;
    }
    const { trace } = result;
    const data = traces.get(trace) ?? traceData(trace);
    traces.set(trace, data);
    const step = traceStep(result, findPrice);
    const call = spanCall(result, step);
    yield {
      traceId: trace.id,
      trace: data,
      steps: [step],
      ...(result.attachments.length > 0 && { attachments: result.attachments }),
      ...(call !== undefined && { calls: new Map([[result.id, call]]) }),
    };
  }
}

function traceData({ digits, facts }: SpanTrace): TraceData {
  const metadata = facts.metadata((candidate) => !isMetadataTooLarge(candidate));
  const { origin, testId } = facts;
  return { referenceId: digits, metadata, origin, ...(testId !== undefined && { testId }) };
}

function traceStep({ trace, id, parentId, span, fields, provider }: SpanStep, findPrice: GetPrice): TraceStep {
  const { usage, metadata, params, ...rest } = fields;
  const step = create(TraceStepSchema, { id, traceId: trace.id, timestamp: timestampFromNs(span.startNs) });
  // Safe cast: the fields have the names and types of the message's fields. Undefined fields are not set.
  const values: Record<string, unknown> = step as never;
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) values[name] = value;
  step.metadata = toValue(metadata);
  if (params !== undefined) step.params = toValue(params);
  if (parentId !== undefined) step.parentId = parentId;
  if (span.durationNs !== undefined) {
    step.durationMs = BigInt(Math.round(Number(span.durationNs) / 1e6));
    step.durationUs = BigInt(Math.round(Number(span.durationNs) / 1e3));
  }
  if (span.endNs !== undefined) step.endTime = timestampFromNs(span.endNs);
  if (usage === undefined) return step;
  step.usage = usageMessage(usage);
  const cost = fields.costAmount ?? findPrice(fields.modelId ?? "", usage, new Date(span.startMs), provider);
  if (cost !== undefined) step.costAmount = cost;
  return step;
}

const callTypes = ["llm", "embedding", "reranker"];

/** Returns the model call that a span records, or whose usage it has; undefined for other spans. */
function spanCall(
  { id, responseId, fields, provider, isSum, isSdk, isDetached, span }: SpanStep,
  step: TraceStep,
): SpanCall | undefined {
  const isCall = callTypes.includes(fields.type) && !isSum;
  if (!isCall && step.usage === undefined && step.costAmount === undefined) return undefined;
  const isEnded = span.endNs !== undefined && fields.status !== "error";
  return {
    callId: !isCall || responseId === undefined ? id : callKey(responseId),
    isPriced: fields.costAmount === undefined && step.costAmount !== undefined,
    isCall: isCall ? isEnded || undefined : false,
    isSdk: isSdk || undefined,
    isDetached: (isCall && isDetached) || undefined,
    hourWriteTokens: fields.usage?.hourWriteTokens,
    provider,
  };
}
