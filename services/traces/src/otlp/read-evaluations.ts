// Pure: reads results of evaluations from OpenTelemetry events `gen_ai.evaluation.result`, which are log records or events
// of spans.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { edgeReader, finiteNumber } from "@ems/kit/edges";
import { derivedId } from "@ems/kit/id";
import { truncateText } from "@ems/kit/json/issue-messages";
import {
  evaluationExplanationMax,
  evaluationLabelMax,
  evaluationNameMax,
  evaluationSourceMax,
} from "@ems/proto/limits";
import type { ExportLogsServiceRequest } from "@ems/proto/opentelemetry/proto/collector/logs/v1/logs_service";
import type { ExportTraceServiceRequest } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { traceUuid } from "@ems/traces-client";
import { type ExternalEvaluation, evaluationEvent } from "../external-evaluations/index.ts";
import type { Rejection } from "../traces/index.ts";
import { isObject, legible, text } from "./json-text.ts";
import { hexId } from "./span.ts";
import { toAttributes, toJsonValue } from "./wire/attributes.ts";

interface Sent {
  readonly traceId: Uint8Array;
  readonly spanId: Uint8Array;
  readonly nanos: bigint;
  readonly attributes: JsonObject;
  readonly scope: string | undefined;
}

/** Reads the evaluations in log records. Earlier conventions have the values in the record's body. */
export function readLogEvaluations(request: ExportLogsServiceRequest, now: Date): (ExternalEvaluation | Rejection)[] {
  const scopes = request.resourceLogs.flatMap(({ scopeLogs }) => scopeLogs);
  return scopes.flatMap(({ scope, logRecords }) =>
    logRecords.flatMap((record) => {
      const attributes = toAttributes(record.attributes);
      const name = record.eventName || (text(attributes["event.name"]) ?? "");
      if (name !== evaluationEvent) return [];
      const body = record.body && toJsonValue(record.body);
      const { traceId, spanId, timeUnixNano, observedTimeUnixNano } = record;
      const nanos = timeUnixNano || observedTimeUnixNano;
      const all = isObject(body) ? { ...body, ...attributes } : attributes;
      return toEvaluation({ traceId, spanId, nanos, attributes: all, scope: scope?.name }, now);
    }),
  );
}

/** Reads the evaluations in events of spans. */
export function readSpanEvaluations(request: ExportTraceServiceRequest, now: Date): (ExternalEvaluation | Rejection)[] {
  const scopes = request.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
  return scopes.flatMap(({ scope, spans }) =>
    spans.flatMap(({ traceId, spanId, events }) =>
      events
        .filter(({ name }) => name === evaluationEvent)
        .map(({ timeUnixNano: nanos, attributes: list }) =>
          toEvaluation({ traceId, spanId, nanos, attributes: toAttributes(list), scope: scope?.name }, now),
        ),
    ),
  );
}

const readEdge = edgeReader("exporter");

function toEvaluation({ nanos, attributes, scope, ...ids }: Sent, now: Date): ExternalEvaluation | Rejection {
  const read = (...names: readonly string[]): JsonValue | undefined =>
    names.map((name) => attributes[`gen_ai.evaluation.${name}`]).find((value) => (value ?? null) !== null);
  const refused = (reason: string) => ({ error: `${evaluationEvent}: ${reason}` });
  const name = text(read("name"))?.trim() ?? "";
  if (name === "") return refused("gen_ai.evaluation.name is required");
  if (name.length > evaluationNameMax)
    return refused(`gen_ai.evaluation.name has at most ${evaluationNameMax} characters`);
  const scoreValue = read("score.value", "score");
  const score = readEdge("score", scoreValue, finiteNumber) ?? null;
  if (scoreValue !== undefined && score === null) return refused("gen_ai.evaluation.score.value must be a number");
  const label = readText(read("score.label", "label"), evaluationLabelMax);
  const explanation = readText(read("explanation"), evaluationExplanationMax);
  if (score === null && label === null && explanation === null)
    return refused("a score.value, score.label or explanation is required");
  const digits = hexId(ids.traceId, 16);
  const responseId = text(attributes["gen_ai.response.id"]);
  if (digits === undefined && responseId === undefined) return refused("a trace or gen_ai.response.id is required");
  const traceId = digits ?? (traceDigits.test(responseId ?? "") ? responseId?.toLowerCase() : undefined);
  const at = new Date(Number(nanos / 1_000_000n));
  const spanId = hexId(ids.spanId, 8) ?? "";
  const values = JSON.stringify([name, score, label, explanation, responseId ?? null]);
  return {
    id: derivedId("external-evaluation", digits ?? "", spanId, String(nanos), values),
    traceId: traceId === undefined ? undefined : traceUuid(traceId),
    responseId,
    name,
    score,
    label,
    explanation,
    source: truncateText(text(scope) ?? "OpenTelemetry", evaluationSourceMax),
    createdAt: nanos > 0n && at <= now ? at : now,
  };
}

/** Some tools name the trace as the response. */
const traceDigits = /^[\da-f]{32}$/i;

/** Returns the text, shortened; a value that is no text becomes JSON. */
function readText(value: JsonValue | undefined, max: number): string | null {
  const content = value === undefined ? "" : legible(value);
  return content === "" ? null : truncateText(content, max);
}
