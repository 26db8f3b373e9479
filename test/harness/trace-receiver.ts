// A receiver of traces: OTLP over HTTP with protobuf, like a collector. It parses only what tests need.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import protobuf from "protobufjs";

/** A received span, ids in hexadecimal. */
export interface ReceivedSpan {
  /** Service name of its process. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface TraceReceiver {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  /** Spans received so far. */
  readonly spans: readonly ReceivedSpan[];
  /** All bytes as characters, including parts that are not parsed, such as events and links. */
  text(): string;
  close(): Promise<void>;
}

/** The parsed part of opentelemetry/proto/collector/trace/v1. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Request { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span { bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; repeated KeyValue attributes = 9; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue { oneof value { string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; } }
`);
const requestType = root.lookupType("Request");

interface Attribute {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

interface Request {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly Attribute[] };
    readonly scopeSpans?: readonly {
      readonly spans?: readonly {
        readonly traceId: Uint8Array;
        readonly spanId: Uint8Array;
        readonly parentSpanId?: Uint8Array;
        readonly name: string;
        readonly attributes?: readonly Attribute[];
      }[];
    }[];
  }[];
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const isTraces = request.method === "POST" && request.url === "/v1/traces";
      if (isTraces) {
        spans.push(...getSpans(body));
        bodies.push(body.toString("latin1"));
      }
      response.writeHead(isTraces ? 200 : 404, { "content-type": "application/x-protobuf" }).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => bodies.join("\n"),
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function getSpans(body: Uint8Array): ReceivedSpan[] {
  const message = requestType.toObject(requestType.decode(body), { longs: Number }) as Request;
  return (message.resourceSpans ?? []).flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
        service: String(getFacts(resource?.attributes)["service.name"]),
        traceId: hex(traceId),
        spanId: hex(spanId),
        parentSpanId: hex(parentSpanId),
        name,
        facts: getFacts(attributes),
      })),
    ),
  );
}

function getFacts(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value = {} }) => [key, Object.values(value)[0]]));
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("hex");
}
