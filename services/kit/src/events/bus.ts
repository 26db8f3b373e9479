// The event bus: NATS JetStream between processes (nats/bus.ts), function calls within one (in-process-bus.ts).
// Delivery is at least once. The outbox provides durability: an event stays there until the bus has acknowledged it.

import type { Event } from "@ems/proto/events/v1/event";
import { traceProcess } from "../telemetry/events.ts";
import { counter } from "../telemetry/metrics.ts";

const countHandled = counter({
  name: "ems_events_taken_total",
  help: "Events received from the bus that were handled (outcome taken), or could not be handled (failed).",
  labels: ["outcome"],
});

/** Metadata of an event, available without decoding it. */
export interface EventEnvelope {
  /** Id of the event, a UUIDv7. */
  readonly id: string;
  readonly applicationId: string;
  readonly orgId: string;
  /** Type: `resource.action`, such as `topic.created`. */
  readonly type: string;
  /** Subject: `ems.v1.evt.<service>.<type>.<application id>`. */
  readonly subject: string;
  /** W3C trace context of the change. */
  readonly traceparent: string | null;
}

/** An event for the bus: a row of an outbox. */
export interface BusEvent extends EventEnvelope {
  /** The binary `ems.events.v1.Event` as it was written; JSON if an older version wrote it. */
  readonly body: Uint8Array;
  readonly isJson: boolean;
}

/** A received event that is decoded and has a type of the contract. It may be a redelivery. */
export interface ReceivedEvent extends EventEnvelope {
  /** The binary `ems.events.v1.Event`: as received, or converted from an older version's JSON. */
  readonly message: Uint8Array;
  /** The decoded message. */
  readonly content: Event;
  /** The JSON that an older version wrote, byte for byte. */
  readonly json?: string | undefined;
}

/** A message that cannot be handled. */
export interface DeadLetter {
  /** Id of the application; undefined if the message does not contain it. */
  readonly applicationId: string | undefined;
  readonly id: string | undefined;
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly payload: Uint8Array;
  /** Reason why the message cannot be handled, in a few words. */
  readonly reason: string;
}

/** Handler of a consumer. */
export interface EventHandler {
  /**
   * Handles up to `batchMax` events, all or none. Resolving acknowledges them. After a rejection they are redelivered:
   * immediately one by one, so that one event does not block the others, then each with a backoff.
   */
  handle(events: readonly ReceivedEvent[]): Promise<void>;
  /** Stores a dead letter; resolving acknowledges it. */
  deadLetter(message: DeadLetter): Promise<void>;
  /** Rejects while nothing can be handled, such as when the database is down. */
  ready(): Promise<void>;
}

export interface Subscription {
  /** Drains: resolves when the current batch is handled, and delivers no more. */
  stop(): Promise<void>;
}

export interface EventBus {
  /** True if publishing may succeed now. */
  readonly isUp: boolean;
  /** Resolves when the event is stored (NATS) or handled (one process); rejects if neither happens within 3 s. */
  publish(event: BusEvent): Promise<void>;
  /** Delivers every event to `handler`, at least once and in no guaranteed order. */
  consume(handler: EventHandler): Subscription;
  /** Calls `listener` with events of a type when they are published: at most once, without storing anything. */
  listen(type: string, listener: (event: ReceivedEvent) => void): void;
  /** Time before which every event was acknowledged or will never be delivered, by a clock near PostgreSQL's. */
  ackedUpTo(): Promise<Date>;
  /** Rejects with the reason while the bus cannot deliver events. */
  check(): Promise<void>;
  /** Flushes and closes; relays and subscriptions must be stopped. */
  close(): Promise<void>;
}

/** Maximum events per batch. */
export const batchMax = 100;

export interface BatchResult {
  /** Errors of the events that were not handled, by index in the batch; all other events were handled. */
  readonly failures: ReadonlyMap<number, unknown>;
  /** True if the handler is not ready, so that the events are not at fault. */
  readonly isDown: boolean;
}

/**
 * Handles a batch. If that fails although the handler is ready, handles events one by one, so that a bad event does not
 * block others.
 */
export async function handleBatch(handler: EventHandler, events: readonly ReceivedEvent[]): Promise<BatchResult> {
  const result = await attempt(handler, events);
  for (const index of events.keys()) countHandled({ outcome: result.failures.has(index) ? "failed" : "taken" });
  return result;
}

async function attempt(handler: EventHandler, events: readonly ReceivedEvent[]): Promise<BatchResult> {
  const failures = new Map<number, unknown>();
  const handle = (batch: readonly ReceivedEvent[]) => traceProcess(batch, (traced) => handler.handle(traced));
  const isDown = () =>
    handler.ready().then(
      () => false,
      () => true,
    );
  try {
    await handle(events);
    return { failures, isDown: false };
  } catch (error) {
    for (const index of events.keys()) failures.set(index, error);
  }
  if (await isDown()) return { failures, isDown: true };
  if (events.length === 1) return { failures, isDown: false };
  for (const [index, event] of events.entries()) {
    try {
      await handle([event]);
      failures.delete(index);
    } catch (error) {
      failures.set(index, error);
      if (await isDown()) return { failures, isDown: true };
    }
  }
  return { failures, isDown: false };
}
