// Request bodies with the same content in each format of trace ingestion. A body is built once; each request only
// overwrites its trace ids, so that the client uses little CPU.

import { randomFillSync } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { newId } from "@ems/kit/id";
import { ExportTraceServiceRequestSchema } from "@ems/proto/opentelemetry/proto/collector/trace/v1/trace_service";
import { type KeyValue, KeyValueSchema } from "@ems/proto/opentelemetry/proto/common/v1/common";
import { Span_SpanKind, SpanSchema, Status_StatusCode } from "@ems/proto/opentelemetry/proto/trace/v1/trace";

export interface Batch {
  readonly name: string;
  readonly path: string;
  readonly contentType: string;
  /** Returns a body with new traces. */
  readonly next: () => Uint8Array<ArrayBuffer>;
  readonly isRejected: (answer: Buffer) => boolean;
}

export const tracesPerBatch = 100;

const text = "Which fee does a transfer abroad have, and when does it arrive? ".repeat(8);
const operations = ["chat", "execute_tool", "chat"];
const startMs = Date.now();

export function jsonBatch(): Batch {
  const ids = newTraceIds().map((id) => id.toString("hex"));
  const spans = ids.flatMap((traceId) => buildSpans().map((span) => ({ traceId, ...span })));
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
  return {
    name: "OTLP/JSON",
    path: "/v0/otel/traces",
    contentType: "application/json",
    next: renewed(JSON.stringify(body), ids, () => Buffer.from(newTraceId().toString("hex"))),
    isRejected: (answer) => answer.includes("rejectedSpans"),
  };
}

/** `getText` returns the text of a payload; each step has two. */
export function protobufBatch(steps = operations.length, getText = () => text): Batch {
  const ids = newTraceIds();
  const spans = ids.flatMap((traceId) => buildSpans(steps, getText).map((span) => buildMessage(traceId, span)));
  const schema = ExportTraceServiceRequestSchema;
  const attributes = resource.attributes.map(getAttribute);
  const request = create(schema, { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }] }] });
  return {
    name: "OTLP/protobuf",
    path: "/v0/otel/traces",
    contentType: "application/x-protobuf",
    next: renewed(toBinary(schema, request), ids, newTraceId),
    // An empty answer means full success.
    isRejected: (answer) => answer.length > 0,
  };
}

export function ownBatch(): Batch {
  const ids = Array.from({ length: tracesPerBatch }, () => newId());
  const steps = ["llm", "tool", "llm"].map((type) => ({
    type,
    name: type,
    input: text,
    output: { text },
    ...(type === "llm" && { tokens: { input: 100, output: 9 } }),
  }));
  const body = { events: ids.map((traceId) => ({ type: "trace", traceId, steps })) };
  return {
    name: "the API's format",
    path: "/v0/ingest",
    contentType: "application/json",
    next: renewed(JSON.stringify(body), ids, () => Buffer.from(newId())),
    isRejected: (answer) => answer.includes('"success":false'),
  };
}

const scope = { name: "opentelemetry.instrumentation.openai_v2", version: "2.1b0" };
const resource = { attributes: [attribute("service.name", "bank"), attribute("telemetry.sdk.language", "python")] };

type Value = { readonly stringValue: string } | { readonly intValue: string };
type Span = ReturnType<typeof buildSpans>[number];

function attribute(key: string, value: string | number): { key: string; value: Value } {
  return { key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } };
}

/** Returns the spans of a trace; the first one encloses the others. */
function buildSpans(count = operations.length, getText = () => text) {
  const named = Array.from({ length: count }, (_, at) => operations[at % operations.length] ?? "chat");
  return named.map((operation, at) => ({
    spanId: (at + 1).toString(16).padStart(16, "0"),
    parentSpanId: at === 0 ? "" : "0000000000000001",
    name: `${operation} gpt-4o`,
    kind: Span_SpanKind.INTERNAL,
    startTimeUnixNano: `${startMs + at}000000`,
    endTimeUnixNano: `${startMs + at + 20}000000`,
    attributes: [
      attribute("gen_ai.operation.name", operation),
      ...(operation === "chat" ? chat : [attribute("gen_ai.tool.name", "search")]),
      ...(operation === "chat" ? chatPayloads : toolPayloads)(getText),
    ],
    status: { code: Status_StatusCode.OK },
  }));
}

const chat = [
  attribute("gen_ai.request.model", "gpt-4o"),
  attribute("gen_ai.usage.input_tokens", 100),
  attribute("gen_ai.usage.output_tokens", 9),
];
const message = (role: string, content: string) => JSON.stringify([{ role, parts: [{ type: "text", content }] }]);
const chatPayloads = (getText: () => string) => [
  attribute("gen_ai.input.messages", message("user", getText())),
  attribute("gen_ai.output.messages", message("assistant", getText())),
];
const toolPayloads = (getText: () => string) => [
  attribute("gen_ai.tool.call.arguments", JSON.stringify({ query: getText() })),
  attribute("gen_ai.tool.call.result", JSON.stringify({ text: getText() })),
];

function buildMessage(traceId: Buffer<ArrayBuffer>, span: Span) {
  return create(SpanSchema, {
    ...span,
    traceId,
    spanId: Buffer.from(span.spanId, "hex"),
    parentSpanId: Buffer.from(span.parentSpanId, "hex"),
    startTimeUnixNano: BigInt(span.startTimeUnixNano),
    endTimeUnixNano: BigInt(span.endTimeUnixNano),
    attributes: span.attributes.map(getAttribute),
  });
}

function getAttribute({ key, value }: ReturnType<typeof attribute>): KeyValue {
  return "intValue" in value
    ? create(KeyValueSchema, { key, value: { value: { case: "intValue", value: BigInt(value.intValue) } } })
    : create(KeyValueSchema, { key, value: { value: { case: "stringValue", value: value.stringValue } } });
}

function newTraceIds() {
  return Array.from({ length: tracesPerBatch }, newTraceId);
}

/** Returns a random trace id, as OpenTelemetry's SDKs do; it is seldom a valid UUID. */
function newTraceId(): Buffer<ArrayBuffer> {
  return randomFillSync(Buffer.alloc(16));
}

/** Returns a function that copies the body with new ids in place of these. */
function renewed(
  body: string | Uint8Array,
  ids: readonly (string | Buffer)[],
  getId: () => Buffer,
): () => Uint8Array<ArrayBuffer> {
  const template = Buffer.from(body as string);
  const offsets = ids.map((id) => getOffsets(template, id));
  return () => {
    const copy = Uint8Array.from(template);
    for (const places of offsets) {
      const id = getId();
      for (const place of places) copy.set(id, place);
    }
    return copy;
  };
}

function getOffsets(body: Buffer, id: string | Buffer): number[] {
  const offsets: number[] = [];
  for (let at = body.indexOf(id); at !== -1; at = body.indexOf(id, at + 1)) offsets.push(at);
  return offsets;
}
