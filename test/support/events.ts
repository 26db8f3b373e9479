import type { BusEvent, DeadLetter, EventHandler, ReceivedEvent } from "@ems/kit/events/bus";
import { eventType } from "@ems/kit/events/event-type";
import { subjectOf } from "@ems/kit/events/message";
import { newId } from "@ems/kit/id";

/** An event as a service would publish it, with a body of its own. */
export function testEvent(given: Partial<BusEvent> & { readonly data?: unknown } = {}): BusEvent {
  const { id = newId(), applicationId = newId(), orgId = "org-1", type = "topic.created", data = {}, ...rest } = given;
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

export interface TestConsumer extends EventHandler {
  /** What was taken in, in the order in which it came. */
  readonly taken: ReceivedEvent[];
  readonly deadLetters: DeadLetter[];
  /** Ids that it cannot take in. */
  readonly refused: Set<string>;
  /** Whether it can take in nothing. */
  isDown: boolean;
  /** How often it was handed something. */
  calls: number;
}

/** A consumer that keeps what it is handed. */
export function testConsumer(): TestConsumer {
  const consumer: TestConsumer = {
    taken: [],
    deadLetters: [],
    refused: new Set(),
    isDown: false,
    calls: 0,
    async handle(events) {
      consumer.calls++;
      await consumer.ready();
      if (events.some(({ id }) => consumer.refused.has(id))) throw new Error("refused");
      consumer.taken.push(...events);
    },
    async deadLetter(message) {
      await consumer.ready();
      consumer.deadLetters.push(message);
    },
    async ready() {
      if (consumer.isDown) throw new Error("down");
    },
  };
  return consumer;
}
