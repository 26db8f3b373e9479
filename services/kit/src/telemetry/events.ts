// Spans of an event: sent by a relay, processed by a consumer. Events of untraced changes are not traced.

import { type Span, startSpan } from "./trace.ts";

interface TracedEvent {
  readonly type: string;
  readonly traceparent: string | null;
}

/** Runs `publish` within a producer span of the event's trace. */
export async function traceSend<E extends TracedEvent>(event: E, publish: (event: E) => Promise<void>): Promise<void> {
  const { traced, span } = startEventSpan("send", event);
  await runWithin(span === undefined ? [] : [span], () => publish(traced));
}

/** Runs `handle` within a consumer span of each event's trace. */
export async function traceProcess<E extends TracedEvent>(
  events: readonly E[],
  handle: (events: readonly E[]) => Promise<void>,
): Promise<void> {
  const all = events.map((event) => startEventSpan("process", event));
  const spans = all.flatMap(({ span }) => span ?? []);
  await runWithin(spans, () => handle(all.map(({ traced }) => traced)));
}

function startEventSpan<E extends TracedEvent>(verb: "send" | "process", event: E): { traced: E; span?: Span } {
  if (event.traceparent === null) return { traced: event };
  const attributes = { "messaging.system": "nats", "messaging.operation.name": verb, "messaging.operation.type": verb };
  const role = verb === "send" ? "producer" : "consumer";
  const span = startSpan(`${verb} ${event.type}`, { role, attributes, parent: event.traceparent });
  return { traced: { ...event, traceparent: span.traceparent ?? event.traceparent }, span };
}

async function runWithin(spans: readonly Span[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
    for (const span of spans) span.end();
  } catch (error) {
    for (const span of spans) span.end({}, "failed");
    throw error;
  }
}
