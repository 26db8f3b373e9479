// An event as a NATS message: the payload is the body, unchanged; headers hold what handling needs without reading it.

import type { JsMsg, Msg } from "nats";
import type { BusEvent, DeadLetter, ReceivedEvent } from "./bus.ts";
import { eventType } from "./event-type.ts";

/** JetStream drops duplicates of an id within the stream's duplicate window. */
export const messageIdHeader = "Nats-Msg-Id";
const traceparentHeader = "traceparent";
const applicationHeader = "Ems-Application-Id";
const organisationHeader = "Ems-Org-Id";
const typeHeader = "Ems-Event-Type";

export const subjectRoot = "ems.v1.evt";

/** The subject on which `service` publishes an application's events of `type`. */
export function subjectOf(service: string, type: string, applicationId: string): string {
  return `${subjectRoot}.${service}.${type}.${applicationId}`;
}

export function headersOf(event: BusEvent): [name: string, value: string][] {
  const headers: [string, string][] = [
    [messageIdHeader, event.id],
    [applicationHeader, event.applicationId],
    // Headers are lines of text, and an organisation's id may hold any characters.
    [organisationHeader, encodeURIComponent(event.orgId)],
    [typeHeader, event.type],
  ];
  if (event.traceparent !== null) headers.push([traceparentHeader, event.traceparent]);
  return headers;
}

/** A received message, not yet validated. */
export interface Message {
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly payload: Uint8Array;
}

/** A message of the NATS client. */
export function toMessage({ subject, headers, data }: Msg | JsMsg): Message {
  const values = Object.fromEntries((headers?.keys() ?? []).map((name) => [name, headers?.values(name) ?? []]));
  return { subject, headers: values, payload: data };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The message as an event, or as a dead letter with its reason. */
export function readMessage({ subject, headers, payload }: Message): ReceivedEvent | DeadLetter {
  const header = (name: string) => headers[name]?.[0] ?? "";
  const [id, applicationId] = [header(messageIdHeader), header(applicationHeader)].map((text) =>
    uuid.test(text) ? text : undefined,
  );
  const deadLetter = (reason: string) => ({ applicationId, id, subject, headers, payload, reason });
  if (id === undefined) return deadLetter("no event id");
  if (applicationId === undefined) return deadLetter("no application id");
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
    const reason = invalidReason(event);
    return reason === undefined ? event : deadLetter(reason);
  } catch {
    return deadLetter("not UTF-8");
  }
}

export function isDeadLetter(read: ReceivedEvent | DeadLetter): read is DeadLetter {
  return "reason" in read;
}

/** Why an event cannot be handled; undefined when it can. */
export function invalidReason({ id, applicationId, type, subject, payload }: BusEvent): string | undefined {
  const declared = eventType(type);
  if (declared === undefined) return "unknown type";
  try {
    const body: unknown = JSON.parse(payload);
    const isSame = isObject(body) && body.id === id && body.applicationId === applicationId && body.type === type;
    if (!isSame) return "body and headers differ";
  } catch {
    return "not JSON";
  }
  // The subject alone proves the publisher: NATS lets each service publish under its own name only.
  if (subject === subjectOf(declared.publisher, type, applicationId)) return undefined;
  const [, , , service = ""] = subject.split(".");
  return service === declared.publisher ? "subject and headers differ" : `${service} does not publish ${type}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
