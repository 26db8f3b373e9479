import { create, type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { EventSchema } from "@ems/proto/events/v1/event";
import { jsonEvents, testEvent } from "@ems/test-support";
import { messageArbitrary } from "@ems/test-support/message-arbitrary";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { writeJson } from "../json/write.ts";
import { eventBytes, eventJson, type Fact, findType, readEvent, readEventJson, toEvent } from "./content.ts";
import { eventTypeOfField } from "./event-type.ts";
import { buildHeaders, isDeadLetter, readMessage } from "./message.ts";

const facts = EventSchema.fields.filter(({ oneof }) => oneof !== undefined);
const occurrence = {
  id: "019a0000-0000-7000-8000-000000000001",
  applicationId: "019a0000-0000-7000-9000-000000000001",
  orgId: "org-1",
  occurredAt: new Date("2026-01-15T12:00:00.123Z"),
};

/** Builds an event's JSON as older versions did, which published JSON. */
function jsonOfBefore(type: string, desc: DescMessage, value: Message): string {
  const { id, occurredAt, applicationId, orgId } = occurrence;
  const data = writeJson(desc, create(desc, value));
  return JSON.stringify({ id, type, timestamp: occurredAt.toISOString(), applicationId, orgId, data });
}

describe("a binary event has the same webhook JSON as in older versions", () => {
  test.each(facts.map((field) => [eventTypeOfField(field.localName).type, field] as const))("%s", (type, field) => {
    const desc = field.message as DescMessage;
    fc.assert(
      fc.property(messageArbitrary(desc), (value) => {
        const bytes = eventBytes(toEvent({ case: field.localName, value } as Fact, occurrence));
        const event = readEvent(bytes);
        expect(findType(event)).toBe(type);
        expect(eventJson(event)).toBe(jsonOfBefore(type, desc, value));
        // JSON from an older version is the same event.
        expect(readEventJson(eventJson(event))).toEqual(event);
      }),
      { numRuns: 50 },
    );
  });
});

/** Types that were introduced after events became binary: none was ever published as JSON. */
const neverJson: readonly string[] = [
  "experiment_variant.created",
  "experiment_variant.promoted",
  "document_test.completed",
  "member.invited",
];

test("there is a recorded event of every type that was published as JSON", () => {
  const types = facts.map(({ localName }) => eventTypeOfField(localName).type);
  expect(jsonEvents().map(({ type }) => type)).toEqual(types.filter((type) => !neverJson.includes(type)));
});

test("a type of a newer contract is unknown, and its other fields are kept", () => {
  const event = testEvent();
  // Append a field that this version does not know: number 1000, with a length of 2.
  const newer = Buffer.concat([event.body, Buffer.from([0xc2, 0x3e, 2, 1, 2])]);
  const headers = Object.fromEntries(buildHeaders(event).map(([name, value]) => [name, [value]]));
  const read = readMessage({ subject: event.subject, headers, payload: newer });
  expect(isDeadLetter(read)).toBe(false);
  expect(read).toMatchObject({ message: newer });
  expect(eventJson(fromBinary(EventSchema, newer))).toBe(event.payload);
  const other = { ...event, type: "planet.discovered" };
  const otherHeaders = Object.fromEntries(buildHeaders(other).map(([name, value]) => [name, [value]]));
  expect(readMessage({ subject: event.subject, headers: otherHeaders, payload: newer })).toMatchObject({
    reason: "unknown type",
  });
});

test("JSON that is not an object is an event without data", () => {
  for (const json of ["null", "[]", "1", '"id"'])
    expect(findType(readEventJson(json))).toBe(findType(readEventJson("{}")));
});

test("a body of another content type or without an id becomes a dead letter with the message", () => {
  const { subject, body: payload, ...event } = testEvent();
  const headers = Object.fromEntries(
    buildHeaders({ ...event, subject, body: payload }).map(([name, value]) => [name, [value]]),
  );
  const read = (changed: Record<string, string[]>) =>
    readMessage({ subject, headers: { ...headers, ...changed }, payload });
  expect(isDeadLetter(read({}))).toBe(false);
  expect(read({ "Content-Type": ["text/plain"] })).toMatchObject({ subject, payload, reason: "unknown content type" });
  expect(read({ "Nats-Msg-Id": ["1"] })).toMatchObject({ payload, reason: "no event id" });
  expect(read({ "Ems-Application-Id": [] })).toMatchObject({ payload, reason: "no application id" });
});
