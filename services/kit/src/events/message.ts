// An event as a NATS message. The body is copied unchanged from the outbox; headers contain the metadata that handling
// needs.

import type { JsMsg, Msg } from "nats";
import type { BusEvent, DeadLetter, ReceivedEvent } from "./bus.ts";
import { eventBytes, findType, readEvent, readEventJson } from "./content.ts";
import { eventType } from "./event-type.ts";

/** Header for the event's id: JetStream drops repeated ids within the stream's duplicate window. */
export const messageIdHeader = "Nats-Msg-Id";
const traceparentHeader = "traceparent";
const applicationHeader = "Ems-Application-Id";
const organizationHeader = "Ems-Org-Id";
export const typeHeader = "Ems-Event-Type";
/** Marks the body as a binary `ems.events.v1.Event`; JSON from an older version lacks the header. */
export const contentTypeHeader = "Content-Type";
export const protobufType = "application/protobuf";

export const subjectRoot = "ems.v1.evt";

/** Returns the subject on which `service` publishes an application's events of `type`. */
export function buildSubject(service: string, type: string, applicationId: string): string {
  return `${subjectRoot}.${service}.${type}.${applicationId}`;
}

export function buildHeaders(event: BusEvent): [name: string, value: string][] {
  const headers: [string, string][] = [
    [messageIdHeader, event.id],
    [applicationHeader, event.applicationId],
    // Headers are lines of text, but an organization's id may contain any characters.
    [organizationHeader, encodeURIComponent(event.orgId)],
    [typeHeader, event.type],
  ];
  if (!event.isJson) headers.push([contentTypeHeader, protobufType]);
  if (event.traceparent !== null) headers.push([traceparentHeader, event.traceparent]);
  return headers;
}

/** A received message, not yet validated. */
export interface Message {
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly payload: Uint8Array;
}

/** Converts a message of the NATS client. */
export function toMessage({ subject, headers, data }: Msg | JsMsg): Message {
  const values = Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.values(name) ?? []]));
  return { subject, headers: values, payload: data };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Decodes the message to an event, or to a dead letter with its reason. */
export function readMessage(message: Message): ReceivedEvent | DeadLetter {
  const { subject, headers, payload } = message;
  const header = (name: string) => headers[name]?.[0] ?? "";
  const [id, applicationId] = [header(messageIdHeader), header(applicationHeader)].map((text) =>
    uuid.test(text) ? text : undefined,
  );
  const deadLetter = (reason: string) => ({ ...message, applicationId, id, reason });
  if (id === undefined) return deadLetter("no event id");
  if (applicationId === undefined) return deadLetter("no application id");
  const contentType = header(contentTypeHeader);
  if (contentType !== "" && contentType !== protobufType) return deadLetter("unknown content type");
  const orgId = decoded(header(organizationHeader));
  if (orgId === undefined) return deadLetter("no organization id");
  const event = receive({
    id,
    applicationId,
    orgId,
    type: header(typeHeader),
    subject,
    body: payload,
    isJson: contentType === "",
    traceparent: header(traceparentHeader) || null,
  });
  return typeof event === "string" ? deadLetter(event) : event;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function isDeadLetter(read: ReceivedEvent | DeadLetter): read is DeadLetter {
  return "reason" in read;
}

/** Reason for messages that a newer version may have published: after an upgrade they may be decodable. */
export const unknownType = "unknown type";

/** Decodes the event for a consumer; returns the reason if it cannot be handled. */
export function receive({ body, isJson, ...envelope }: BusEvent): ReceivedEvent | string {
  const { type, applicationId, subject } = envelope;
  const declared = eventType(type);
  if (declared === undefined) return unknownType;
  const event = isJson ? receiveJson(body) : receiveBinary(body);
  if (typeof event === "string") return event;
  const { content } = event;
  const isSame = content.id === envelope.id && content.applicationId === applicationId && findType(content) === type;
  if (!isSame) return "body and headers differ";
  // Only the subject proves the publisher: NATS lets each service publish under its own name only.
  if (subject === buildSubject(declared.publisher, type, applicationId)) return { ...envelope, ...event };
  const [, , , service = ""] = subject.split(".");
  return service === declared.publisher ? "subject and headers differ" : `${service} does not publish ${type}`;
}

type Body = Pick<ReceivedEvent, "message" | "content" | "json">;

function receiveBinary(message: Uint8Array): Body | string {
  try {
    return { message, content: readEvent(message) };
  } catch {
    return "not an Event";
  }
}

function receiveJson(body: Uint8Array): Body | string {
  let json: string;
  try {
    json = utf8.decode(body);
  } catch {
    return "not UTF-8";
  }
  try {
    const content = readEventJson(json);
    return { message: eventBytes(content), content, json };
  } catch {
    return "not JSON";
  }
}
