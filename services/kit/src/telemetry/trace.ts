// Traces: what is done for one request, in whatever process. Everything here costs next to nothing and does nothing until
// `startTracing` was told where traces go; only then is the SDK loaded.

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

/** Says no more than its name: kinds, outcomes and numbers; never a key, a header, a URL or text of a person's. */
export type Facts = Attributes;

/** The role of a span: it asks, it answers, it sends off, or it takes in. */
export type Role = "client" | "server" | "producer" | "consumer";

export interface SpanOptions {
  readonly role: Role;
  readonly facts?: Facts | undefined;
  /** W3C trace context of what it is a part of; left out, it is a part of what runs. */
  readonly parent?: string | undefined;
}

/** A part of a trace that is under way. */
export interface Span {
  /** W3C trace context by which others become parts of it; undefined when nobody traces. */
  readonly traceparent: string | undefined;
  /** Runs `work` as a part of it. */
  run<T>(work: () => T): T;
  /** It is over; `fault` says in a word what went wrong, if anything did. */
  end(facts?: Facts, fault?: string): void;
}

const kinds: Record<Role, SpanKind> = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export const traceparentHeader = "traceparent";

let isTracing = false;

/**
 * Sends traces of this process to `endpoint`, an OTLP/HTTP receiver such as `http://collector:4318`, under the name
 * `service`; nothing happens without one. Of the requests that nobody decided about before, `share` (0 to 1) are traced.
 * Answers how to end that: what is still here is sent.
 */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share }: TracingConfig,
): Promise<() => Promise<void>> {
  if (endpoint === undefined) return async () => undefined;
  const { startSdk } = await import("./sdk.ts");
  isTracing = true;
  return startSdk(service, endpoint, share);
}

export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

const untraced: Span = { traceparent: undefined, run: (work) => work(), end: () => undefined };

/** Begins a span. */
export function startSpan(name: string, { role, facts, parent }: SpanOptions): Span {
  if (!isTracing) return untraced;
  const around = parent === undefined ? context.active() : contextOf(parent);
  const span = trace
    .getTracer("ems")
    .startSpan(name, { kind: kinds[role], ...(facts && { attributes: facts }) }, around);
  const within = trace.setSpan(around, span);
  return {
    traceparent: traceparentOf(within),
    run: (work) => context.with(within, work),
    end(after = {}, fault) {
      span.setAttributes(after);
      if (fault !== undefined) {
        span.setAttribute("error.type", fault);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** W3C trace context of what runs; undefined when nobody traces. */
export function currentTraceparent(): string | undefined {
  return isTracing ? traceparentOf(context.active()) : undefined;
}

/** The id of the trace that what runs is a part of. */
export function currentTraceId(): string | undefined {
  return isTracing ? trace.getSpanContext(context.active())?.traceId : undefined;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function traceparentOf(around: Context): string | undefined {
  const found = trace.getSpanContext(around);
  if (found === undefined) return undefined;
  return `00-${found.traceId}-${found.spanId}-${found.traceFlags.toString(16).padStart(2, "0")}`;
}

/** What is no trace context begins a new trace. */
function contextOf(traceparent: string): Context {
  const [, traceId = "", spanId = "", flags = ""] = form.exec(traceparent) ?? [];
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(parent) ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
}
