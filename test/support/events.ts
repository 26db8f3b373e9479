import type { BusEvent, DeadLetter, EventHandler, ReceivedEvent } from "@ems/kit/events/bus";
import { eventType } from "@ems/kit/events/event-type";
import { subjectOf } from "@ems/kit/events/message";
import { newId } from "@ems/kit/id";

/** An event as a service publishes it. */
export function testEvent(overrides: Partial<BusEvent> & { readonly data?: unknown } = {}): BusEvent {
  const {
    id = newId(),
    applicationId = newId(),
    orgId = "org-1",
    type = "topic.created",
    data = {},
    ...rest
  } = overrides;
  const timestamp = "2026-01-15T12:00:00.000Z";
  return {
    id,
    applicationId,
    orgId,
    type,
    subject: subjectOf(eventType(type)?.publisher ?? "catalog", type, applicationId),
    payload: JSON.stringify({ id, type, timestamp, applicationId, orgId, data }),
    traceparent: null,
    ...rest,
  };
}

export interface TestEventHandler extends EventHandler {
  /** Events that were handled, in order of arrival. */
  readonly handled: ReceivedEvent[];
  readonly deadLetters: DeadLetter[];
  /** Ids of events that it fails to handle. */
  readonly refused: Set<string>;
  /** Whether it fails every event. */
  isDown: boolean;
  /** How often `handle` was called. */
  calls: number;
}

/** An event handler that records what it is handed. */
export function testEventHandler(): TestEventHandler {
  const handler: TestEventHandler = {
    handled: [],
    deadLetters: [],
    refused: new Set(),
    isDown: false,
    calls: 0,
    async handle(events) {
      handler.calls++;
      await handler.ready();
      if (events.some(({ id }) => handler.refused.has(id))) throw new Error("refused");
      handler.handled.push(...events);
    },
    async deadLetter(message) {
      await handler.ready();
      handler.deadLetters.push(message);
    },
    async ready() {
      if (handler.isDown) throw new Error("down");
    },
  };
  return handler;
}
