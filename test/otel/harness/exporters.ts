// Exporters configured like an application's, and the outcome of each export.

import grpc from "@grpc/grpc-js";
import { OTLPTraceExporter as GrpcExporter } from "@opentelemetry/exporter-trace-otlp-grpc";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, TracerProvider } from "@opentelemetry/sdk-trace";

export type Transport = "http/json" | "http/protobuf" | "grpc";
export type Compression = "none" | "gzip";

export interface Destination {
  readonly baseUrl: string;
  readonly grpcUrl: string;
  readonly apiKey: string;
  /** If undefined, the key is sent alone, as a bearer token. */
  readonly applicationId: string | undefined;
}

/** `path` is what exporters append to OTEL_EXPORTER_OTLP_ENDPOINT, or another one for a URL that is set in full. */
export function createExporter(
  transport: Transport,
  compression: Compression,
  { baseUrl, grpcUrl, apiKey, applicationId }: Destination,
  path = "/v0/otel/v1/traces",
): SpanExporter {
  const headers: Record<string, string> =
    applicationId === undefined
      ? { authorization: `Bearer ${apiKey}` }
      : { "x-api-key": apiKey, "x-application-id": applicationId };
  // The values equal those of the exporters' own enumeration.
  const options = { compression: compression as never, timeoutMillis: 30_000 };
  if (transport === "grpc") {
    const metadata = new grpc.Metadata();
    for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
    return new GrpcExporter({ ...options, url: grpcUrl, metadata });
  }
  const Exporter = transport === "http/json" ? JsonExporter : ProtobufExporter;
  return new Exporter({ ...options, url: baseUrl + path, headers });
}

/** Exporter that records the outcome of each export. */
export class Watched implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly outcomes: { readonly spans: number; readonly error: string | undefined }[] = [];

  constructor(exporter: SpanExporter) {
    this.#exporter = exporter;
  }

  export(spans: ReadableSpan[], done: Parameters<SpanExporter["export"]>[1]): void {
    this.#exporter.export(spans, (result) => {
      this.outcomes.push({ spans: spans.length, error: result.error?.message });
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }
}

/** Returns a tracer that exports spans in batches of `batch`. */
export function tracerTo(exporter: SpanExporter, batch = 512) {
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: 20_000,
    maxExportBatchSize: batch,
    scheduledDelayMillis: 600_000,
    exportTimeoutMillis: 30_000,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "exporters-test" }),
    spanProcessors: [processor],
  });
  return { provider, tracer: provider.getTracer("exporters-test", "1.0.0") };
}
