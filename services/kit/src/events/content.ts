// Content of an event: the contract's Event, in protobuf's binary format on the bus and as this API's JSON for
// webhooks.

import { create, type DescMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type Event, EventSchema } from "@ems/proto/events/v1/event";
import { decodeMessage, encodeMessage } from "../codec.ts";
import { parseJson } from "../json/exact-number.ts";
import { readJson } from "../json/read.ts";
import { readTimestamp, writeTimestamp } from "../json/timestamp.ts";
import { writeJson } from "../json/write.ts";
import type { Tenant } from "../tenant.ts";
import type { ReceivedEvent } from "./bus.ts";
import { eventType, eventTypeOfField } from "./event-type.ts";

/** A member of the event's oneof: the change that happened. */
export type Fact = Extract<NonNullable<MessageInitShape<typeof EventSchema>["data"]>, { case: string }>;

interface Occurrence extends Pick<Tenant, "applicationId" | "orgId"> {
  readonly id: string;
  readonly occurredAt: Date;
}

export function toEvent(fact: Fact, { occurredAt, ...envelope }: Occurrence): Event {
  return create(EventSchema, { ...envelope, timestamp: timestampFromDate(occurredAt), data: fact });
}

export function typeOfFact(fact: Fact): string {
  return eventTypeOfField(fact.case).type;
}

/** Returns the type of an event, such as `topic.created`; undefined if only a newer contract has it. */
export function findType({ data }: Event): string | undefined {
  return data.case === undefined ? undefined : eventTypeOfField(data.case).type;
}

export function eventBytes(event: Event): Buffer {
  const { buffer, byteOffset, byteLength } = encodeMessage(EventSchema, event);
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Decodes an event; throws if the bytes are not one. */
export function readEvent(bytes: Uint8Array): Event {
  return decodeMessage(EventSchema, bytes);
}

/** Formats the event for webhooks. */
export function eventJson(event: Event): string {
  const { id, timestamp, applicationId, orgId, data } = event;
  if (data.case === undefined || timestamp === undefined) throw new Error(`event ${id} has no data`);
  const { type, field } = eventTypeOfField(data.case);
  // The casts are safe: the oneof contains only messages, and its value has the type of its case.
  const json = writeJson(field.message as DescMessage, data.value as Message);
  return JSON.stringify({ id, type, timestamp: writeTimestamp(timestamp), applicationId, orgId, data: json });
}

/** Formats an event for a webhook, with the same bytes whichever version of the product wrote it. */
export function webhookJson({ json, content }: Pick<ReceivedEvent, "json" | "content">): string {
  return json ?? eventJson(content);
}

/** Reads the JSON of an older version, which had no binary form; throws if it is not an event. */
export function readEventJson(json: string): Event {
  const body: unknown = parseJson(json);
  const [id, type, timestamp, applicationId, orgId] = ["id", "type", "timestamp", "applicationId", "orgId"].map(
    (name) => textIn(body, name),
  ) as [string, string, string, string, string];
  const field = eventType(type)?.field;
  if (field === undefined) return create(EventSchema, { id, applicationId, orgId });
  // Drops fields that the contract no longer has.
  const { message } = readJson(field.message as DescMessage, (body as { readonly data?: unknown }).data);
  const data = { case: field.localName, value: message } as Fact;
  return create(EventSchema, { id, applicationId, orgId, timestamp: readTimestamp(timestamp), data });
}

function textIn(value: unknown, name: string): string {
  const text = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof text === "string" ? text : "";
}
