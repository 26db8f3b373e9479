// Converts a span to a step of its trace: maps the span's attributes, events and status to the step's fields.

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { InstrumentationScope } from "@ems/proto/opentelemetry/proto/common/v1/common";
import { Status_StatusCode } from "@ems/proto/opentelemetry/proto/trace/v1/trace";
import { consistentTokens, type SentTokens, type Tokens, tokenKinds } from "../traces/index.ts";
import type { StepType } from "./conventions/facts.ts";
import type { Reading } from "./conventions/read-conventions.ts";
import { text } from "./json-text.ts";
import { type PayloadFields, payloadFields } from "./payload-fields.ts";
import type { Span } from "./span.ts";
import { readEvents, type SpanEvents } from "./span-events.ts";
import { toAttributes } from "./wire/attributes.ts";

/** Fields with the names in the API's TraceStep; undefined fields are absent. */
export interface StepFields extends PayloadFields {
  readonly type: StepType;
  readonly event: "start" | "end" | undefined;
  readonly name: string;
  readonly status: "success" | "error" | "pending";
  readonly statusCode: string | undefined;
  readonly error: string | undefined;
  readonly modelId: string | undefined;
  readonly usage: Tokens | undefined;
  readonly costAmount: number | undefined;
  readonly finishReason: string | undefined;
  readonly toolCallId: string | undefined;
  readonly key: string | undefined;
  readonly guardrailAction: string | undefined;
  readonly guardrailTriggered: boolean | undefined;
  readonly guardrailType: string | undefined;
  readonly evaluationLabel: string | undefined;
  readonly evaluationScore: number | undefined;
  readonly evaluatorName: string | undefined;
  readonly params: JsonObject | JsonValue[] | undefined;
  readonly metadata: JsonObject;
}

export function toStepFields(span: Span, reading: Reading, scope: InstrumentationScope | undefined): StepFields {
  const events = readEvents(span.message.events, span.extraction);
  const type = isPreparation(span) ? "group" : (reading.get("type") ?? guessType(reading, events));
  const name = readName(type, span, reading);
  const payloads = payloadFields(type, reading, events);
  const params = reading.get("params");
  return {
    type,
    event: type === "llm" ? (span.endMs === undefined ? "start" : "end") : undefined,
    name,
    ...readOutcome(span, reading, events),
    modelId: reading.get("responseModel") ?? reading.get("requestModel"),
    ...readConsumption(reading),
    finishReason: reading.get("finishReason") ?? events.finishReason,
    ...payloads,
    toolCallId: type === "tool" ? reading.get("toolCallId") : undefined,
    key: type === "group" ? name : undefined,
    guardrailAction: reading.get("guardrailAction"),
    guardrailTriggered: reading.get("guardrailTriggered"),
    guardrailType: reading.get("guardrailType"),
    evaluationLabel: reading.get("evaluationLabel"),
    evaluationScore: readScore(reading),
    evaluatorName: reading.get("evaluatorName"),
    params: typeof params === "object" && params !== null ? params : undefined,
    // Must come after the payloads, because they are removed from the metadata.
    metadata: Object.assign(reading.metadata(), spanMetadata(span, scope, events)),
  };
}

const nameLengthMax = 255;

/** Returns the step's name; for tools the tool's own name, not "execute_tool weather". */
function readName(type: StepType, { message }: Span, reading: Reading): string {
  const name = (type === "tool" ? reading.get("toolName") : undefined) ?? message.name;
  return name.length <= nameLengthMax ? name : [...name].slice(0, nameLengthMax).join("");
}

function readOutcome({ message, endMs }: Span, reading: Reading, { exception }: SpanEvents) {
  const code = message.status?.code ?? Status_StatusCode.UNSET;
  const isFailed =
    code === Status_StatusCode.ERROR ||
    (code === Status_StatusCode.UNSET && (exception !== undefined || reading.get("errorType") !== undefined));
  const error = isFailed ? (text(message.status?.message) ?? exception ?? reading.get("errorType")) : undefined;
  return {
    status: isFailed ? ("error" as const) : endMs === undefined ? ("pending" as const) : ("success" as const),
    statusCode: reading.get("httpStatus") ?? statusCodes[code],
    error,
  };
}

/** LlamaIndex's preparation of a request, which OpenInference records like a model call. */
function isPreparation({ message }: Span): boolean {
  return message.name.endsWith("._prepare_chat_with_tools");
}

/** A span that has a model and tokens is a model call, even without an operation. */
function guessType(reading: Reading, events: SpanEvents): StepType {
  if (events.documents.length > 0) return "retriever";
  const hasModel = reading.get("responseModel") !== undefined || reading.get("requestModel") !== undefined;
  return hasModel && readTokens(reading) !== undefined ? "llm" : "group";
}

const sentKinds = [...tokenKinds, "hourWriteTokens"] as const;

/** Returns the tokens and cost that the span states, whether they count or repeat those of other spans. */
function readConsumption(reading: Reading): Pick<StepFields, "usage" | "costAmount"> {
  return { usage: readTokens(reading), costAmount: readCost(reading) };
}

function readTokens(reading: Reading): Tokens | undefined {
  const object = reading.get("usage") ?? {};
  const sent: { -readonly [Kind in keyof SentTokens]: SentTokens[Kind] } = {};
  for (const kind of sentKinds) sent[kind] = reading.get(kind) ?? object[kind];
  return consistentTokens(sent);
}

function readCost(reading: Reading): number | undefined {
  const [prompt, completion] = [reading.get("promptCost"), reading.get("completionCost")];
  const parts = prompt === undefined && completion === undefined ? undefined : (prompt ?? 0) + (completion ?? 0);
  const cost = reading.get("cost") ?? parts;
  // Rounded like computed prices, so that sums of costs are exact in any order.
  return cost === undefined ? undefined : Number(cost.toFixed(12));
}

/** Returns the score if it is from 0 to 1, as the API requires; other scores remain only in the metadata. */
function readScore(reading: Reading): number | undefined {
  const score = reading.get("evaluationScore");
  return score !== undefined && score >= 0 && score <= 1 ? score : undefined;
}

/** Names of span kinds, indexed by number; index 0 is "unspecified". */
const spanKinds = ["", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER"];
const statusCodes = [undefined, "OK", "ERROR"];

/** Returns a span's fields except attributes, under OpenTelemetry's names for exporters that do not use OTLP. */
function spanMetadata(
  { message, spanId }: Span,
  scope: InstrumentationScope | undefined,
  { otherEvents }: SpanEvents,
): JsonObject {
  const { kind, status, traceState, links } = message;
  const metadata: JsonObject = { "otel.span_id": spanId };
  const add = (name: string, value: JsonValue | undefined) => {
    if (value !== undefined && value !== "") metadata[name] = value;
  };
  add("otel.span_kind", spanKinds[kind]);
  add("otel.status_code", status && statusCodes[status.code]);
  add("otel.status_description", status?.message);
  add("otel.scope.name", scope?.name);
  add("otel.scope.version", scope?.version);
  add("otel.trace_state", traceState);
  if (otherEvents.length > 0) add("otel.events", otherEvents);
  if (links.length > 0) add("otel.links", links.map(toLink));
  return metadata;
}

function toLink({ traceId, spanId, attributes }: Span["message"]["links"][number]): JsonObject {
  return { traceId: digits(traceId), spanId: digits(spanId), attributes: toAttributes(attributes) };
}

function digits(id: Uint8Array): string {
  return Buffer.from(id).toString("hex");
}
