// An event as a NATS message. The payload is the body, byte by byte; what is needed to handle the message without reading
// the body travels in headers.

import type { BusEvent, DeadLetter, ReceivedEvent } from "./bus.ts";
import { eventType } from "./event-type.ts";

/** JetStream keeps one message of an id within the stream's duplicate window. */
export const messageIdHeader = "Nats-Msg-Id";
const traceparentHeader = "traceparent";
const applicationHeader = "Ems-Application-Id";
const organisationHeader = "Ems-Org-Id";
const typeHeader = "Ems-Event-Type";

export const subjectRoot = "ems.v1.evt";

/** The subject of events of `type` that `service` tells of that application. */
export function subjectOf(service: string, type: string, applicationId: string): string {
  return `${subjectRoot}.${service}.${type}.${applicationId}`;
}

export function headersOf(event: BusEvent): [name: string, value: string][] {
  const headers: [string, string][] = [
    [messageIdHeader, event.id],
    [applicationHeader, event.applicationId],
    // Headers are lines of text: an organisation's id is whatever its creator chose.
    [organisationHeader, encodeURIComponent(event.orgId)],
    [typeHeader, event.type],
  ];
  if (event.traceparent !== null) headers.push([traceparentHeader, event.traceparent]);
  return headers;
}

/** A message as it came. */
export interface Message {
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly payload: Uint8Array;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The event that a message is, or the message with what is wrong with it. */
export function readMessage({ subject, headers, payload }: Message): ReceivedEvent | DeadLetter {
  const header = (name: string) => headers[name]?.[0] ?? "";
  const [id, applicationId] = [header(messageIdHeader), header(applicationHeader)].map((text) =>
    uuid.test(text) ? text : undefined,
  );
  const dead = (reason: string) => ({ applicationId, id, subject, headers, payload, reason });
  if (id === undefined) return dead("no event id");
  if (applicationId === undefined) return dead("no application id");
  try {
    const event = {
      id,
      applicationId,
      orgId: decodeURIComponent(header(organisationHeader)),
      type: header(typeHeader),
      subject,
      payload: utf8.decode(payload),
      traceparent: header(traceparentHeader) || null,
    };
    const fault = faultOf(event);
    return fault === undefined ? event : dead(fault);
  } catch {
    return dead("not UTF-8");
  }
}

export function isDead(read: ReceivedEvent | DeadLetter): read is DeadLetter {
  return "reason" in read;
}

/** What keeps an event from being handled; undefined when nothing does. */
export function faultOf({ id, applicationId, type, subject, payload }: BusEvent): string | undefined {
  const kind = eventType(type);
  if (kind === undefined) return "unknown type";
  try {
    const body: unknown = JSON.parse(payload);
    const isSame = isObject(body) && body.id === id && body.applicationId === applicationId && body.type === type;
    if (!isSame) return "body and headers differ";
  } catch {
    return "not JSON";
  }
  // The subject alone says who tells it: NATS lets each service publish on its own.
  if (subject === subjectOf(kind.publisher, type, applicationId)) return undefined;
  const [, , , service = ""] = subject.split(".");
  return service === kind.publisher ? "subject and headers differ" : `${service} does not tell ${type}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
