// Traces. Without an exporter's endpoint every function here is a cheap no-op, and the SDK is not loaded.

import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";

/** The kind of a span. */
export type Role = "client" | "server" | "producer" | "consumer";

export interface SpanOptions {
  readonly role: Role;
  /** Kinds, outcomes and numbers; never a key, a header, a URL or personal text. */
  readonly attributes?: Attributes | undefined;
  /** W3C trace context of the parent; by default the active span. */
  readonly parent?: string | undefined;
}

/** An open span. */
export interface Span {
  /** W3C trace context for child spans; undefined without tracing. */
  readonly traceparent: string | undefined;
  /** Runs `work` with the span active. */
  run<T>(work: () => T): T;
  /** Ends the span; `errorType` marks it as failed. */
  end(attributes?: Attributes, errorType?: string): void;
}

const kinds: Record<Role, SpanKind> = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export const traceparentHeader = "traceparent";

let tracing = false;

/** Returns true if this process exports traces; startTracing decides this before anything else starts. */
export function isTracing(): boolean {
  return tracing;
}

/**
 * Exports traces of this process as `service` to an OTLP/HTTP receiver, if there is one. Samples `share` (0 to 1) of
 * the requests without a sampling decision. Returns a function that flushes and stops.
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share }: TracingConfig,
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => undefined;
  const { startSdk } = await import("./sdk.ts");
  const stop = startSdk(service, endpoint, share);
  tracing = true;
  return async () => {
    tracing = false;
    await stop();
  };
}

export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

const untraced: Span = { traceparent: undefined, run: (work) => work(), end: () => undefined };

export function startSpan(name: string, { role, attributes, parent }: SpanOptions): Span {
  if (!tracing) return untraced;
  const parentContext = parent === undefined ? context.active() : toContext(parent);
  const span = trace
    .getTracer("ems")
    .startSpan(name, { kind: kinds[role], ...(attributes && { attributes }) }, parentContext);
  const within = trace.setSpan(parentContext, span);
  return {
    traceparent: getTraceparent(within),
    run: (work) => context.with(within, work),
    end(endAttributes = {}, errorType) {
      span.setAttributes(endAttributes);
      if (errorType !== undefined) {
        span.setAttribute("error.type", errorType);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** W3C trace context of the active span; undefined without tracing. */
export function currentTraceparent(): string | undefined {
  return tracing ? getTraceparent(context.active()) : undefined;
}

/** The id of the active trace. */
export function currentTraceId(): string | undefined {
  return tracing ? trace.getSpanContext(context.active())?.traceId : undefined;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function getTraceparent(within: Context): string | undefined {
  const found = trace.getSpanContext(within);
  if (found === undefined) return undefined;
  return `00-${found.traceId}-${found.spanId}-${found.traceFlags.toString(16).padStart(2, "0")}`;
}

/** An invalid trace context starts a new trace. */
function toContext(traceparent: string): Context {
  const [, traceId = "", spanId = "", flags = ""] = form.exec(traceparent) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
