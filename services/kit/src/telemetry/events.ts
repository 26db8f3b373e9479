// An event's way in a trace: sent off by a relay, taken in by a consumer. An event of a change that nobody traced is not
// traced either.

import { type Span, startSpan } from "./trace.ts";

interface Traced {
  readonly type: string;
  readonly traceparent: string | null;
}

/** Has `publish` send off the event as a part of its trace. */
export async function sent<E extends Traced>(event: E, publish: (event: E) => Promise<void>): Promise<void> {
  const { traced, span } = within("send", event);
  await over(span === undefined ? [] : [span], () => publish(traced));
}

/** Has `take` take the events in, each as a part of its own trace. */
export async function taken<E extends Traced>(
  events: readonly E[],
  take: (events: readonly E[]) => Promise<void>,
): Promise<void> {
  const all = events.map((event) => within("process", event));
  await over(
    all.flatMap(({ span }) => span ?? []),
    () => take(all.map(({ traced }) => traced)),
  );
}

function within<E extends Traced>(verb: "send" | "process", event: E): { traced: E; span?: Span } {
  if (event.traceparent === null) return { traced: event };
  const facts = { "messaging.system": "nats", "messaging.operation.name": verb, "messaging.operation.type": verb };
  const role = verb === "send" ? "producer" : "consumer";
  const span = startSpan(`${verb} ${event.type}`, { role, facts, parent: event.traceparent });
  return { traced: { ...event, traceparent: span.traceparent ?? event.traceparent }, span };
}

async function over(spans: readonly Span[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
    for (const span of spans) span.end();
  } catch (error) {
    for (const span of spans) span.end({}, "failed");
    throw error;
  }
}
