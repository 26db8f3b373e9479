import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { DescMessage } from "@bufbuild/protobuf";
import type { BusEvent, DeadLetter, EventHandler, ReceivedEvent } from "@ems/kit/events/bus";
import { eventBytes, eventJson, type Fact, readEvent, toEvent } from "@ems/kit/events/content";
import { eventType } from "@ems/kit/events/event-type";
import { buildHeaders, buildSubject } from "@ems/kit/events/message";
import { newId } from "@ems/kit/id";
import { readJson } from "@ems/kit/json/read";
import type { TestDatabase } from "./database.ts";

/** An event in the outbox, on the bus and as received. */
export interface TestEvent extends BusEvent, ReceivedEvent {
  readonly body: Buffer;
  /** Body of its webhook delivery. */
  readonly payload: string;
}

/** An event as a service publishes it; an event of an unpublished type has the contents of `topic.created`. */
export function testEvent(
  overrides: Partial<Omit<BusEvent, "body" | "isJson">> & { readonly data?: unknown } = {},
): TestEvent {
  const {
    id = newId(),
    applicationId = newId(),
    orgId = "org-1",
    type = "topic.created",
    data = {},
    ...rest
  } = overrides;
  const declared = eventType(type) ?? eventType("topic.created");
  if (declared === undefined) throw new Error("the contract has no topic.created");
  const { message: value } = readJson(declared.field.message as DescMessage, data);
  const occurredAt = new Date("2026-01-15T12:00:00.000Z");
  const fact = { case: declared.field.localName, value } as Fact;
  const body = eventBytes(toEvent(fact, { id, occurredAt, applicationId, orgId }));
  const content = readEvent(body);
  return {
    id,
    applicationId,
    orgId,
    type,
    subject: buildSubject(declared.publisher, type, applicationId),
    body,
    isJson: false,
    message: body,
    content,
    payload: eventJson(content),
    traceparent: null,
    ...rest,
  };
}

/** Recorded events of every type, as JSON of the version before the binary format. */
export function jsonEvents(): BusEvent[] {
  const lines = readFileSync(join(import.meta.dirname, "json-events.ndjson"), "utf8")
    .trimEnd()
    .split("\n");
  return lines.map((line) => {
    const { subject, headers, body } = JSON.parse(line) as { subject: string; headers: object; body: string };
    const { id, applicationId, orgId, type } = JSON.parse(body);
    const event = { id, applicationId, orgId, type, subject, body: Buffer.from(body), isJson: true, traceparent: null };
    const now = Object.fromEntries(buildHeaders(event).map(([name, value]) => [name, [value]]));
    if (!isDeepStrictEqual(headers, now)) throw new Error(`${type} had other headers`);
    return event;
  });
}

export interface OutboxEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  /** Body of its webhook delivery. */
  readonly payload: string;
}

/** Events in a service's outbox, in insertion order unless a relay marks them; filtered by type and JSON text. */
export async function outboxEvents(
  { sql }: Pick<TestDatabase, "sql">,
  service: string,
  { type, text = "" }: { readonly type?: string; readonly text?: string } = {},
): Promise<OutboxEvent[]> {
  const rows = await sql<Omit<OutboxEvent, "payload"> & { message: Buffer }>(
    `SELECT id, type, subject, message FROM ${service}.outbox WHERE type = coalesce($1, type) ORDER BY ctid`,
    [type],
  );
  const events = rows.map(({ message, ...row }) => ({ ...row, payload: eventJson(readEvent(message)) }));
  return events.filter(({ payload }) => payload.includes(text));
}

export interface TestEventHandler extends EventHandler {
  /** Handled events, in order of arrival. */
  readonly handled: ReceivedEvent[];
  readonly deadLetters: DeadLetter[];
  /** Ids of events that it fails to handle. */
  readonly refused: Set<string>;
  /** True if it fails every event. */
  isDown: boolean;
  /** Number of calls of `handle`. */
  calls: number;
}

/** An event handler that records its events. */
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
